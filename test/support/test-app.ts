import { join } from 'node:path';
import { setImmediate as macrotask, setTimeout as realTime } from 'node:timers/promises';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll } from 'vitest';
import { createSandbox, type SandboxOptions } from '#sandbox/sandbox.ts';
import { createApp } from '#server/app.ts';
import type { Config, PlatformUrls } from '#server/config.ts';
import { openRecords } from '#server/open-records.ts';
import { WASM_WORKER_POLICY } from '#server/http/security-headers.ts';
import type { LanguagePages } from '#server/http/site/language-pages.ts';
import { createBuiltFile, createStaticFile } from '#server/http/site/static-file.ts';
import type { WebBuild } from '#server/http/site/web-build.ts';
import type { RunCommand } from '#server/notices/housekeeping.ts';
import { createLogger } from '#server/observability/logger.ts';
import type { Status } from '#shared/contract/status.ts';
import { LANGUAGE_CODES, type Language } from '#shared/languages.ts';
import type { StartedPlatform } from '#server/platform/start-platform.ts';
import { createFakeSystem, type FakeSystem } from './fake-system.ts';
import { encodeProof, solveChallenge } from './solve-challenge.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { configOf, tokenOf } from './well-formed.ts';

export type TestAppOptions = {
  readonly sandbox?: SandboxOptions;
  readonly tokens?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Every draw is 0: proofs are found at once and nothing is jittered. For tests with very many lookups. */
  readonly drawsZero?: boolean;
  /** The data folder of an earlier app, which is kept. By default a new one, which is removed in the end. */
  readonly dataDir?: string;
  readonly cdnUrl?: string;
  readonly runCommand?: RunCommand;
  /** Another seed draws other numbers: needed if two apps share a folder. */
  readonly seed?: number;
};

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

const NOVEMBER_2026_MS = 1_794_700_000_000;
/** High enough that nothing waits for its turn: in most tests the clock stands still. */
const ROOMY = { LOOKUPS_PER_MINUTE: '1000000', EGRESS_PER_SECOND: '10000' };

const script = (policy?: string) =>
  createBuiltFile(
    { identity: Buffer.from('1;') },
    { contentType: 'text/javascript', cacheControl: 'immutable', ...(policy !== undefined && { policy }) },
  );
const page = (text: string) => createStaticFile(() => text, 'text/html; charset=utf-8');
const pagesOf = (language: Language): LanguagePages => ({
  pages: new Map([['/', page('<h1>Lookup</h1>'.repeat(100))]]),
  linkPage: page('<h1>Link</h1>'),
  notFoundPage: page(`<h1>Page not found</h1>${language === 'en' ? '' : language}`),
  statusPage: (status) => page(JSON.stringify(status)),
  pausedLinkPage: ({ name, because }) => page(`<h1>This link is paused</h1><p>${name} ${because}</p>`),
});
const stubPages = new Map(LANGUAGE_CODES.map((language) => [language, pagesOf(language)]));
export const stubWebBuild: WebBuild = {
  files: new Map([
    ['/assets/app-1a2b3c4d.js', script()],
    ['/assets/sha256-worker-1a2b3c4d.js', script(WASM_WORKER_POLICY)],
  ]),
  inlineCode: { script: 'early()', style: 'a{}' },
  whenRendered: (use) => use({ pagesIn: (language) => stubPages.get(language) as LanguagePages }),
};

export const readConfig = (env: Readonly<Record<string, string>>): Config =>
  configOf({ POW_MAX_NUMBER: '1000', ...ROOMY, ...env });

/** A platform that others start and stop. */
export const startedAt = (urls: PlatformUrls): StartedPlatform => ({
  urls,
  tokens: [],
  sampleIds: [],
  tokenToDonate: null,
  stop: async () => {},
});

/** A server without the operator's commands beside it. */
export const runNoCommand: RunCommand = async () => null;

const DEFAULTS = { tokens: 1, env: {}, drawsZero: false, seed: 1 };

/** The real app on a fake clock, with the real sandbox as its platform over loopback HTTP. */
export const startTestApp = async (options: TestAppOptions = {}) => {
  const { tokens, env, drawsZero, seed } = { ...DEFAULTS, ...options };
  const system = createFakeSystem({ wallMs: NOVEMBER_2026_MS, drawsZero, seed });
  const pause = (ms: number) => timeIsUp(system, ms);
  const sandbox = createSandbox({ now: system.clock.wallMs, pause, ...options.sandbox });
  const own = await sandbox.listen();
  const platformUrls = { ...own, cdnUrl: options.cdnUrl ?? own.cdnUrl };
  const botTokens = Array.from({ length: tokens }, (_, n) => sandbox.mintToken(n)).join(',');
  const logged: string[] = [];
  const logger = createLogger('trace', { write: (line) => logged.push(line) });
  const folder = options.dataDir === undefined ? temporaryFolder() : null;
  // In a folder of its own: beside it the server leaves a note.
  const dataDir = options.dataDir ?? join(folder?.path ?? '', 'data');
  const config = readConfig({ BOT_TOKENS: botTokens, DATA_DIR: dataDir, ...env });
  const isNewSite = config.databaseUrl !== null;
  const records = await openRecords(config, system, { isNewSite, isServer: true });
  const startedPlatform = startedAt(platformUrls);
  const parts = { records, config, startedPlatform, system, logger, web: stubWebBuild };
  const app = createApp({ ...parts, runCommand: options.runCommand ?? runNoCommand });
  // Not `start`: days go by in these tests, and nothing else writes to their database.
  await app.refresh();

  return {
    app,
    sandbox,
    system,
    platformUrls,
    /** What the app keeps, on its own connection. */
    records,
    dataDir,
    logs: (): string => logged.join(''),
    ...visitorOf((question) => app.server.inject(question)),
    /** The sandbox's n-th bot lends its current token. */
    addToken: (n: number): void => app.pool.add(tokenOf(sandbox.mintToken(n))),
    /** Resolves once the app knows that the platform has revoked this many tokens. */
    retiredBecomes: async (count: number): Promise<void> => {
      const retired = async () => (await app.server.inject('/status.json')).json<Status>().tokens.retired;
      for (let hours = 0; (await retired()) !== count; hours += 2) {
        if (hours === 100) throw new Error(`Not ${count} tokens are retired, but ${await retired()}.`);
        system.stall(2 * 3_600_000);
        for (let checks = 0; checks <= count; checks += 1) {
          system.stall(11_000);
          await passTime(system, 300, 100);
        }
      }
    },
    /** Waits for `promise` while time goes on in steps, for at most `withinMs` of the fake clock. */
    settle: <T>(promise: Promise<T>, withinMs = 20_000): Promise<T> =>
      settleWhileTimePasses(promise, system, { withinMs }),
    /** Lets so much time go by while real sockets work. Long steps make it quick. */
    pass: (ms: number, stepMs?: number): Promise<void> => passTime(system, ms, stepMs),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      // Whatever still waits for the sandbox must fail now, or closing would wait for it.
      await sandbox.close();
      await settleWhileTimePasses(app.close(), system, { withinMs: 60_000 });
      await records.close();
      folder?.[Symbol.dispose]();
    },
  };
};

export const useTestApp = async (options?: TestAppOptions): Promise<TestApp> => {
  const test = await startTestApp(options);
  afterAll(() => test[Symbol.asyncDispose]());
  return test;
};

export type Ask = (question: string | InjectOptions) => Promise<LightMyRequestResponse>;

export const visitorOf = (ask: Ask) => {
  const proof = async (): Promise<string> => {
    const challenge = await ask('/challenge');
    return encodeProof(solveChallenge(challenge.json()));
  };
  const postLookup = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask({
      method: 'POST',
      url: '/lookup',
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
  /** A whole lookup: challenge, proof, request. */
  const lookUp = async (id: string) => postLookup({ discord_id: id, proof: await proof() });
  return { proof, postLookup, lookUp };
};

/** Short steps while answers may come in, long ones once only time can help. */
const nextStepMs = (elapsedMs: number): number => (elapsedMs < 1_000 ? 50 : 250);
/** Between two steps of the fake clock: app and sandbox share this loop, so its turns bring an answer, not time. */
const TURNS = 20;

const timeIsUp = ({ clock }: FakeSystem, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

const passTime = (system: FakeSystem, ms: number, stepMs?: number): Promise<void> =>
  settleWhileTimePasses(timeIsUp(system, ms), system, { withinMs: ms, stepMs });

const settleWhileTimePasses = async <T>(
  promise: Promise<T>,
  system: FakeSystem,
  { withinMs, stepMs }: { withinMs: number; stepMs?: number | undefined },
): Promise<T> => {
  const progress = { settled: false };
  const done = promise.finally(() => {
    progress.settled = true;
  });
  done.catch(() => {});
  for (let elapsedMs = 0; !progress.settled && elapsedMs < withinMs;) {
    for (let turn = 0; !progress.settled && turn < TURNS; turn += 1) await macrotask();
    if (!progress.settled) await realTime(1);
    const step = Math.min(stepMs ?? nextStepMs(elapsedMs), withinMs - elapsedMs);
    if (!progress.settled) await system.advance(step);
    elapsedMs += step;
  }
  return done;
};
