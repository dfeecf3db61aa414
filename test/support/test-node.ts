import type { LightMyRequestResponse } from 'fastify';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { createApp, type App } from '#server/app.ts';
import { parseConfig, type PlatformUrls } from '#server/config.ts';
import { createLogger } from '#server/observability/logger.ts';
import { openRecords, type Records } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { encodeProof, solveChallenge } from './solve-challenge.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { stubWebBuild } from './test-app.ts';

export type TestNodeOptions = {
  readonly sandbox: Sandbox;
  readonly urls: PlatformUrls;
  readonly env: Readonly<Record<string, string>>;
};

const QUICK = {
  POW_MAX_NUMBER: '1000',
  CHALLENGES_PER_MINUTE: '1000000',
  LOOKUPS_PER_MINUTE: '1000000',
  LOOKUPS_PER_DAY: '1000000',
  STOP_DELAY_SECONDS: '0',
};

/** One of several: the real app with its own records, on the real clock, which Redis has too. */
export type TestNode = {
  readonly app: App;
  readonly records: Records;
  readonly logs: () => string;
  readonly challenge: () => Promise<LightMyRequestResponse>;
  readonly proof: () => Promise<string>;
  readonly post: (path: string, body: object) => Promise<LightMyRequestResponse>;
  readonly lookUp: (id: string) => Promise<LightMyRequestResponse>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export const startTestNode = async ({ sandbox, urls, env }: TestNodeOptions): Promise<TestNode> => {
  const folder = temporaryFolder();
  const parsed = parseConfig(
    { ...QUICK, DATA_DIR: folder.path, BOT_TOKENS: sandbox.mintToken(0), ...env },
    () => '',
  );
  if (!parsed.ok) throw new Error(parsed.problems.join(' '));
  const { config } = parsed;
  const logged: string[] = [];
  const records = await openRecords(config, realSystem);
  const app = createApp({
    records,
    config,
    startedPlatform: { urls, tokens: [], sampleIds: [], tokenToDonate: null, stop: async () => {} },
    system: realSystem,
    logger: createLogger('trace', { write: (line) => logged.push(line) }),
    web: stubWebBuild,
  });
  await app.start();
  const { server } = app;
  const challenge: TestNode['challenge'] = () => server.inject('/challenge');
  const proof = async () => encodeProof(solveChallenge((await challenge()).json()));
  const post: TestNode['post'] = (url, payload) => server.inject({ method: 'POST', url, payload });
  return {
    app,
    records,
    logs: () => logged.join(''),
    challenge,
    proof,
    post,
    lookUp: async (id) => post('/lookup', { discord_id: id, proof: await proof() }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await records.close();
      folder[Symbol.dispose]();
    },
  };
};
