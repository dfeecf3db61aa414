import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { SERVER_ARGS } from '#test/support/app-process.ts';
import { freePort } from '#test/support/free-port.ts';
import { startProgram } from '#test/support/program-process.ts';
import { ROOMY } from '#test/suites/world.ts';

/** A server in a process of its own. */
export type Server = AsyncDisposable & {
  readonly pid: number;
  readonly port: number;
  /** From the command to the first answer. */
  readonly startMs: number;
};

/** A sample profile of the sandbox; after the first lookup it is in the cache. */
export const PROFILE_ID = '441997505123577857';
const BARE = fileURLToPath(import.meta.resolve('./bare-server.ts'));
const START_LIMIT_MS = 20_000;
const POLL_MS = 5;

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  );

type Command = {
  /** What Node is started with. */
  readonly args: readonly string[];
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
};

/** Resolves once the server answers. */
export const startServer = async ({ args, port, env = {} }: Command): Promise<Server> => {
  const beginMs = performance.now();
  const { PATH = '' } = process.env;
  const program = await startProgram({
    program: process.execPath,
    args: () => args,
    env: { PATH, ADMIN_PORT: '0', LOG_LEVEL: 'silent', PORT: String(port), ...env },
  });
  while (!(await answers(port))) {
    if (performance.now() > beginMs + START_LIMIT_MS) {
      await program[Symbol.asyncDispose]();
      throw new Error(`${args.join(' ')} did not start.`);
    }
    await delay(POLL_MS);
  }
  const dispose = (): PromiseLike<void> => program[Symbol.asyncDispose]();
  return { pid: program.pid, port, startMs: performance.now() - beginMs, [Symbol.asyncDispose]: dispose };
};

/** The real server, with room for any number of visitors and puzzles that are soon solved. */
export const startProduct = async (
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = SERVER_ARGS,
): Promise<Server> => {
  const port = await freePort();
  const PUBLIC_URL = `http://localhost:${port}`;
  return startServer({ args, port, env: { ...ROOMY, POW_MAX_NUMBER: '1000', PUBLIC_URL, ...settings } });
};

export const startBare = async (...args: readonly string[]): Promise<Server> => {
  const port = await freePort();
  return startServer({ args: [BARE, '--port', String(port), ...args], port });
};

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });

/** Part of util-linux; where it is missing nothing is pinned. */
const pin = (pid: number, cores: string): boolean =>
  spawnSync('/usr/bin/taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' }).status === 0;

/** Keeps the load (this process) and the servers on different cores until disposed of, where the machine lets us. */
export const separateCores = (servers: readonly Server[]): Disposable & { readonly note: string } => {
  const isPinned = pin(process.pid, '1') && servers.every(({ pid }) => pin(pid, '0'));
  return {
    note: isPinned ? 'server on core 0, load on core 1' : 'not pinned to cores',
    [Symbol.dispose]: () => void pin(process.pid, `0-${cpus().length - 1}`),
  };
};
