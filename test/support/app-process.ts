import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { temporaryFolder } from './temporary-folder.ts';

export type ProcessEnd = { readonly exitCode: number | null; readonly stderr: string };

export type AppProcess = ReturnType<typeof startAppProcess>;

/** As in `npm start`: the shell replaces itself with the server, so that a signal to npm reaches it. */
export const START = manifest.scripts.start.replace(/^exec /, '');
export const SERVER_ARGS = START.split(' ')
  .slice(1)
  .map((arg) => (arg.startsWith('--') ? arg : join(import.meta.dirname, '../..', arg)));
const ANY_PORTS = { PORT: '0', ADMIN_PORT: '0' };
const ADDRESS = /http:\/\/localhost:\d+/;

/** What is started, where and as whom, if it is not the server of this clone. */
type ProcessCommand = Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> & {
  readonly program: string;
  readonly args: readonly string[];
};

/** The server as the operator starts it, in a folder of its own that is removed with it. */
export const startAppProcess = (
  env: Readonly<Record<string, string>>,
  { program, args, ...options }: ProcessCommand = { program: process.execPath, args: SERVER_ARGS },
) => {
  const folder = temporaryFolder();
  const child = spawn(program, args, {
    cwd: folder.path,
    ...options,
    env: { ...ANY_PORTS, DATA_DIR: join(folder.path, 'data'), ...env },
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
    /** Its public address, once it listens. Rejects if the process ends before. */
    origin,
    ended,
    pid: child.pid ?? 0,
    output: (): string => stdout + stderr,
    signal: (name: NodeJS.Signals): void => void child.kill(name),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      child.kill('SIGKILL');
      await ended;
      folder[Symbol.dispose]();
    },
  };
};
