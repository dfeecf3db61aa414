import { join } from 'node:path';
import { request } from 'undici';
import type { TrafficStats } from '#sandbox/api/traffic-stats.ts';
import { startProgram } from './program-process.ts';

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

const SANDBOX = join(import.meta.dirname, '../../src/sandbox/main.ts');

/** The sandbox in its own process, steered through its control routes. */
export const startSandboxProcess = async (args: readonly string[] = []) => {
  const { ready: cdnUrl, ...program } = await startProgram({
    program: process.execPath,
    args: () => [SANDBOX, '--port', '0', ...args],
    readyLine: /^CDN +(\S+)$/m,
  });
  return {
    ...program,
    cdnUrl,
    mintTokens: async (count: number, from: number): Promise<string[]> => {
      const { body } = await request(`${cdnUrl}/_sandbox/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ count, from }),
      });
      return ((await body.json()) as { tokens: string[] }).tokens;
    },
    stats: async () => (await (await request(`${cdnUrl}/_sandbox/stats`)).body.json()) as TrafficStats,
  };
};
