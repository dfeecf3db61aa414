import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '#server/open-records.ts';
import type { World } from '../suites/world.ts';
import { trace, whyNoStrace } from './disk.ts';

const AT_ONCE = 4;
const SYNC_MICROS = 300_000;

const holdWriteLock = ({ dataDir }: World): Disposable => {
  const other = new DatabaseSync(join(dataDir, DATABASE_FILE));
  other.exec('begin immediate');
  return other;
};

/** Donors who want their tokens back, one after the other; each is to get the same answer. */
const withdrawSteadily = ({ visitors, tokens: [token] }: World, expected: number): AsyncDisposable => {
  const end = new AbortController();
  const withdraw = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const { status, code } = await visitors.next().ask('/withdraw-token', { token });
      if (status !== expected) throw new Error(`A withdrawal was answered with ${status} ${code ?? ''}.`);
    }
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, withdraw));
  all.catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      end.abort();
      await all;
    },
  };
};

const slowDownSyncs = (pid: number) =>
  trace(pid, ['--trace=fsync,fdatasync', `--inject=fsync,fdatasync:delay_enter=${SYNC_MICROS}`]);

const together = (...parts: readonly (Disposable | AsyncDisposable)[]): AsyncDisposable => {
  const stack = new AsyncDisposableStack();
  for (const part of parts) stack.use(part);
  return stack;
};

/** Each donor has an address of their own, as if these were sent by a proxy. */
const env = { TRUSTED_PROXIES: '127.0.0.1/32' };

/** What storage can be made to wait for, as rows of the table in `other-visitors.ts`. */
export const HELD_UP_STORAGE = [
  {
    name: 'another process holds the write lock',
    begin: async (world: World) => together(holdWriteLock(world)),
  },
  {
    name: 'tokens are withdrawn and another process holds the write lock',
    env,
    begin: async (world: World) => together(holdWriteLock(world), withdrawSteadily(world, 503)),
  },
  {
    name: 'tokens are withdrawn and each sync of the disk takes 300 ms',
    env,
    whyNot: whyNoStrace,
    begin: async (world: World) =>
      together(await slowDownSyncs(world.server.pid), withdrawSteadily(world, 200)),
  },
];
