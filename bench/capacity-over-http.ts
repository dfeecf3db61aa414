import { fileURLToPath } from 'node:url';
import type { TrafficStats } from '#sandbox/api/traffic-stats.ts';
import { createDiscordClient } from '#server/platform/discord-client.ts';
import { realSystem } from '#server/system.ts';
import { LIMIT, type RunScenario } from './capacity-scenario.ts';
import { freePort } from '#test/support/free-port.ts';
import { startChildServer } from './child-server.ts';

const readStats = async (origin: string): Promise<TrafficStats> =>
  (await (await fetch(`${origin}/_sandbox/stats`)).json()) as TrafficStats;

const mintTokens = async (origin: string, count: number): Promise<string[]> => {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ count }) };
  const { tokens } = (await (await fetch(`${origin}/_sandbox/tokens`, request)).json()) as {
    tokens: string[];
  };
  return tokens;
};

/** In real time over loopback, the sandbox in a process of its own. */
export const runOverHttp: RunScenario = async ({ tokens, mode, periodMs, periods }, client) => {
  const port = await freePort();
  const flags = ['--port', port, '--mode', mode, '--limit', LIMIT, '--period-ms', periodMs];
  const script = fileURLToPath(import.meta.resolve('../src/sandbox/main.ts'));
  await using sandbox = await startChildServer({ args: [script, ...flags.map(String)], port });
  const origin = `http://127.0.0.1:${sandbox.port}`;
  const discordClient = createDiscordClient({
    clock: realSystem.clock,
    apiUrl: `${origin}/api/v10`,
    publicUrl: 'http://localhost',
  });
  const minted = await mintTokens(origin, tokens);
  const answered = await client({
    tokens: minted,
    system: realSystem,
    discordClient,
    restOptions: { api: `${origin}/api` },
    over: AbortSignal.timeout(periods * periodMs),
  });
  const { rateLimited } = await readStats(origin);
  await discordClient.close();
  return { answered, refused: rateLimited };
};
