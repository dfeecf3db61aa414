import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessState } from './process-probe.ts';

/** The product as it is deployed: a process of its own, with the sandbox as its platform. */
export type ServerProcess = {
  readonly port: number;
  readonly isAlive: () => boolean;
  readonly state: () => Promise<ProcessState>;
  /** All that it wrote to its outputs. */
  readonly output: () => string;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '../..');
const START_LIMIT_MS = 30_000;
const ENV = {
  PORT: '0',
  ADMIN_PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'warn',
  POW_MAX_NUMBER: '1000',
  CHALLENGES_PER_MINUTE: '10000000',
  LOOKUPS_PER_MINUTE: '10000000',
  LOOKUPS_PER_DAY: '10000000',
};

export const startServerProcess = async (): Promise<ServerProcess> => {
  // A folder of its own, so that neither a .env nor the data of a real deployment is touched.
  const folder = mkdtempSync(join(tmpdir(), 'whoflake-assurance-'));
  const probe = join(import.meta.dirname, 'process-probe.ts');
  const args = ['--expose-gc', '--import', probe, join(ROOT, 'src/server/main.ts')];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...ENV, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;

  const port = await new Promise<number>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error(`The server did not start. ${output}`)), START_LIMIT_MS);
    child.once('exit', () => reject(new Error(`The server ended. ${output}`)));
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = /Whoflake is on http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(giveUp);
      resolve(Number(found));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });

  return {
    port,
    isAlive,
    state: async () => {
      child.send('state');
      const [state] = (await once(child, 'message')) as [ProcessState];
      return state;
    },
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (isAlive()) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
