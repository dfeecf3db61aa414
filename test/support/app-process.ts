import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };

export type ProcessEnd = { readonly exitCode: number | null; readonly stderr: string };

/** The server as the operator starts it, in a folder of its own that is removed with it. */
export type AppProcess = {
  /** Its public address, once it listens. Rejects if the process ends before. */
  readonly origin: Promise<string>;
  readonly ended: Promise<ProcessEnd>;
  readonly pid: number;
  /** All that it wrote to its outputs so far. */
  readonly output: () => string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Leaves its outputs open and unread. */
  readonly pauseReading: () => void;
  /** Closes our end of its outputs. */
  readonly stopReading: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

/** As in `npm start`: the shell replaces itself with the server, so that a signal to npm reaches it. */
export const START = manifest.scripts.start.replace(/^exec /, '');
export const SERVER_ARGS = START.split(' ')
  .slice(1)
  .map((arg) => (arg.startsWith('--') ? arg : join(import.meta.dirname, '../..', arg)));
const ADDRESS = /http:\/\/localhost:\d+/;

/** What is started, where and as whom, if it is not the server of this clone. */
export type ProcessCommand = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> & {
  readonly program: string;
  readonly args: readonly string[];
};

export const startAppProcess = (
  env: Readonly<Record<string, string>>,
  { program, args, ...options }: ProcessCommand = { program: process.execPath, args: SERVER_ARGS },
): AppProcess => {
  const folder = mkdtempSync(join(tmpdir(), 'whoflake-'));
  const child = spawn(program, args, {
    cwd: folder,
    ...options,
    env: { PORT: '0', ADMIN_PORT: '0', SANDBOX_PORT: '0', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([exitCode]): ProcessEnd => ({ exitCode, stderr }));
  const origin = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const address = ADDRESS.exec(stdout)?.[0];
      if (address !== undefined) resolve(address.replace('localhost', '127.0.0.1'));
    });
    void ended.then((end) => reject(new Error(`The process ended: ${end.stderr}`)));
  });
  origin.catch(() => {});
  return {
    origin,
    ended,
    pid: child.pid ?? 0,
    output: () => stdout + stderr,
    signal: (name) => child.kill(name),
    pauseReading: () => {
      child.stdout.pause();
      child.stderr.pause();
    },
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
