import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { startAppProcess, type AppProcess, type ProcessCommand } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';

/** One of several equal servers: its address and its folder stay when the process ends. */
export type ClusterNode = {
  readonly name: string;
  readonly origin: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** What its admin listener says; false too if it says nothing. */
  readonly isReady: () => Promise<boolean>;
  /** Resolves once it is ready. */
  readonly start: (command?: ProcessCommand) => Promise<void>;
  readonly kill: () => Promise<void>;
  /** All that it has written to its outputs, in all its lives. */
  readonly output: () => string;
};

export type ClusterNodeOptions = {
  readonly name: string;
  readonly folder: string;
  readonly keyringFile: string;
  readonly env: Readonly<Record<string, string>>;
};

const READY_WITHIN_MS = 60_000;
const ASK_AGAIN_MS = 50;
const SILENT_MS = 1_000;

export const createClusterNode = async (options: ClusterNodeOptions): Promise<ClusterNode> => {
  const { name, env } = options;
  const folder = join(options.folder, name);
  mkdirSync(folder, { recursive: true });
  const keyringFile = join(folder, 'keyring.json');
  // Each machine has a copy.
  cpSync(options.keyringFile, keyringFile);
  const port = await freePort();
  const adminPort = await freePort();
  let app: AppProcess | null = null;
  let saidBefore = '';

  const isReady = async (): Promise<boolean> => {
    try {
      const { statusCode, body } = await request(`http://127.0.0.1:${adminPort}/readyz`, {
        reset: true,
        headersTimeout: SILENT_MS,
        bodyTimeout: SILENT_MS,
      });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  };

  const kill = async (): Promise<void> => {
    await app?.[Symbol.asyncDispose]();
    saidBefore += app?.output() ?? '';
    app = null;
  };

  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    signal: (signal) => app?.signal(signal),
    isReady,
    start: async (command) => {
      const settings = {
        ...env,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        DATA_DIR: join(folder, 'data'),
        KEYRING_FILE: keyringFile,
      };
      app = startAppProcess(settings, command);
      await app.origin;
      const deadlineMs = performance.now() + READY_WITHIN_MS;
      while (!(await isReady())) {
        if (performance.now() > deadlineMs) throw new Error(`${name} is not ready: ${app.output()}`);
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
    },
    kill,
    output: () => saidBefore + (app?.output() ?? ''),
  };
};
