import { join } from 'node:path';
import { setTimeout as turnOfTimers } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '#sandbox/sandbox.ts';
import { createApp } from '#server/app.ts';
import type { PlatformUrls } from '#server/config.ts';
import { createLogger } from '#server/observability/logger.ts';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import {
  readConfig,
  runNoCommand,
  startedAt,
  stubWebBuild,
  visitorOf,
  type Ask,
} from '#test/support/test-app.ts';

type Settings = Readonly<Record<string, string>>;

export type TestNodeOptions = {
  readonly sandbox: Sandbox;
  readonly urls: PlatformUrls;
  readonly env: Settings;
};

/** The platform for all nodes of a file. */
export const useNodePlatform = async (options?: SandboxOptions) => {
  const sandbox = createSandbox(options);
  afterAll(() => sandbox.close());
  return { sandbox, urls: await sandbox.listen() };
};

/** A site with its records at that address, begun as an operator begins one, in a folder that is gone after the test. */
export const beginSite = async (url: string, more: Settings = {}) => {
  const folder = temporaryFolder();
  onTestFinished(folder[Symbol.dispose]);
  const keyring = join(folder.path, 'keyring.json');
  const env = { DATABASE_URL: url, KEYRING_FILE: keyring, BOT_TOKENS: '', ...more };
  const init = startOps(['init'], { env: { ...env, DATA_DIR: folder.path } });
  expect(await init.ended).toMatchObject({ exitCode: 0 });
  return { env, folder: folder.path };
};

export type TestNode = Awaited<ReturnType<typeof startTestNode>>;

/** One of several servers: the real app on the real clock, as PostgreSQL is. */
export const startTestNode = async ({ sandbox, urls, env }: TestNodeOptions) => {
  const folder = temporaryFolder();
  const config = readConfig({
    DATA_DIR: folder.path,
    BOT_TOKENS: sandbox.mintToken(0),
    ...env,
  });
  const logged: string[] = [];
  const records = await openRecords(config, realSystem, { isServer: true });
  const app = createApp({
    records,
    config,
    startedPlatform: startedAt(urls),
    system: realSystem,
    logger: createLogger('trace', { write: (line) => logged.push(line) }),
    web: stubWebBuild,
    runCommand: runNoCommand,
  });
  await app.start();
  // Requests over a socket come in turns of the loop too, and a machine that is busy has the node refuse some all the
  // same: those come again, as it asks them to.
  const ask: Ask = async (question) => {
    await turnOfTimers();
    const answer = await app.server.inject(question);
    return answer.statusCode === 503 && answer.body.includes('"overloaded"') ? ask(question) : answer;
  };
  const visitor = visitorOf(ask);
  const post = (url: string, payload: object) => ask({ method: 'POST', url, payload });
  return {
    app,
    records,
    logs: (): string => logged.join(''),
    ...visitor,
    ask,
    post,
    donate: async (token: string) => {
      const answer = await post('/donate-token', { token, proof: await visitor.proof() });
      return { status: answer.statusCode, receipt: answer.json<{ receipt: string }>().receipt };
    },
    /** The status of the answer. */
    withdraw: async (receipt: string): Promise<number> =>
      (await post('/withdraw-token', { receipt, proof: await visitor.proof() })).statusCode,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await app.close();
      await records.close();
      folder[Symbol.dispose]();
    },
  };
};

/** What is in the table, each server also knows: it cannot use a token that it has not opened yet. */
export const becomeHealthy = (nodes: readonly TestNode[], count: number): Promise<void> =>
  vi.waitFor(async () => {
    for (const { pool } of nodes.map(({ app }) => app)) {
      expect(pool.counts().healthy + pool.counts().cooling).toBe(count);
      expect(await pool.list()).toHaveLength(count);
    }
  }, EVENTUALLY);
