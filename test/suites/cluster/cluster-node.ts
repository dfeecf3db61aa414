import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { EXIT } from '#server/operator-error.ts';
import { startAppProcess, type AppProcess } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';

export type ClusterNode = Awaited<ReturnType<typeof createClusterNode>>;

type ClusterNodeOptions = {
  readonly name: string;
  readonly folder: string;
  /** That of the site; folder and ports are the node's own. */
  readonly env: Readonly<Record<string, string>>;
};

const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;
const TIMEOUT_MS = 1_000;
const LAST_OUTPUT = 600;
const STARTS = 5;
const TRIED_AGAIN: ReadonlySet<number | null> = new Set([EXIT.failed, EXIT.databaseUnreachable]);

/** One of several equal servers: its address and its folder stay when the process ends. */
export const createClusterNode = async ({ name, env, folder: parent }: ClusterNodeOptions) => {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const adminPort = await freePort();
  const own: Record<string, string> = {
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATA_DIR: join(folder, 'data'),
  };
  if (env['KEYRING_FILE'] !== undefined) {
    // Each machine has a copy.
    own['KEYRING_FILE'] = join(folder, 'keyring.json');
    cpSync(env['KEYRING_FILE'], own['KEYRING_FILE']);
  }
  /** The last output of each process that ended although nobody killed it. */
  const crashes: string[] = [];
  let app: AppProcess | null = null;
  let isFrozen = false;
  let harmedMs = -Infinity;

  const isReady = async (): Promise<boolean> => {
    try {
      const limits = { reset: true, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
      const { statusCode, body } = await request(`http://127.0.0.1:${adminPort}/readyz`, limits);
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  };

  const watchOver = async (started: AppProcess): Promise<void> => {
    const { exitCode } = await started.ended;
    if (app === started)
      crashes.push(`${name} ended with ${exitCode}: ${started.output().slice(-LAST_OUTPUT)}`);
  };

  /** Resolves once it listens. As under systemd, a start that failed is tried again. */
  const launch = async (starts: number): Promise<void> => {
    const started = startAppProcess({ ...env, ...own });
    try {
      await started.origin;
    } catch (error) {
      const { exitCode } = await started.ended;
      if (starts <= 1 || !TRIED_AGAIN.has(exitCode)) throw error;
      return launch(starts - 1);
    }
    app = started;
    void watchOver(started);
    return undefined;
  };

  return {
    name,
    port,
    pid: () => app?.pid ?? Number.NaN,
    setFrozen: (frozen: boolean): void => {
      app?.signal(frozen ? 'SIGSTOP' : 'SIGCONT');
      isFrozen = frozen;
      harmedMs = performance.now();
    },
    /** Whether it was killed, down or frozen at any time since then: nobody can answer its visitors of that time. */
    wasHarmedSince: (ms: number): boolean => app === null || isFrozen || harmedMs >= ms,
    isReady,
    start: async () => {
      await launch(STARTS);
      const deadlineMs = performance.now() + READY_WITHIN_MS;
      while (!(await isReady())) {
        if (performance.now() > deadlineMs) throw new Error(`${name} is not ready: ${app?.output()}`);
        await delay(POLL_MS);
      }
    },
    kill: async () => {
      const ending = app;
      app = null;
      await ending?.[Symbol.asyncDispose]();
      harmedMs = performance.now();
    },
    crashes,
  };
};
