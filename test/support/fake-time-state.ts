import { setImmediate as macrotask } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createPostgresPlatformStore } from '#server/platform/postgres-platform-store.ts';
import { createPostgresTokenStore } from '#server/tokens/postgres-token-store.ts';
import { createPostgresSession } from '#server/storage/postgres/session.ts';
import { createMessagePool, type MessagePool } from '#server/storage/postgres/message-pool.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { sql } from 'kysely';
import { usePostgres } from './databases.ts';
import type { FakeSystem } from './fake-system.ts';

export type FakeTimePool = ReturnType<typeof createFakeTimePool>;

/** Its `clock_timestamp` comes before PostgreSQL's own, and says what each message says first. */
const FAKE_CLOCK = `create schema fake;
  create function fake.clock_timestamp() returns timestamptz language sql volatile
  as 'select to_timestamp(current_setting(''fake.now'')::float8 / 1000)'`;

export const useFakeTimePostgres = () => {
  const postgres = usePostgres();
  let template: Promise<string> | undefined;
  const makeTemplate = async (): Promise<string> => {
    const url = await (await postgres()).newDatabase();
    const { database } = await openPostgresDatabase(url, { create: true });
    await sql.raw(FAKE_CLOCK).execute(database);
    await database.destroy();
    return url;
  };
  return async (): Promise<string> => {
    template ??= makeTemplate();
    const url = await (await postgres()).newDatabase(await template);
    return url;
  };
};

export const createFakeTimePool = (url: string, { clock }: FakeSystem) => {
  const pool = createMessagePool(url, 4);
  const asking = new Set<Promise<unknown>>();
  let aheadMs = 0;
  let failure: { readonly error: Error; readonly where: RegExp } | null = null;
  onTestFinished(() => pool.end());
  const send: MessagePool['send'] = async (text) => {
    if (failure?.where.test(text)) throw failure.error;
    const faked = text.replace('search_path = ', 'search_path = fake, pg_catalog, ');
    const rows = await pool.send(`set fake.now = '${clock.wallMs() + aheadMs}'; ${faked}`);
    return rows.slice(1);
  };
  return {
    send: (text: string): ReturnType<MessagePool['send']> => {
      const answer = send(text).finally(() => asking.delete(answer));
      asking.add(answer);
      return answer;
    },
    end: async () => {},
    /** Null while nothing is asked. */
    answering: (): Promise<unknown> | null => (asking.size === 0 ? null : Promise.allSettled(asking)),
    /** From now on PostgreSQL's clock is so much ahead. */
    leap: (ms: number): void => {
      aheadMs += ms;
    },
    /** From now on every message that has this in it fails; null: none does. */
    failWith: (error: Error | null, where = /^/): void => {
      failure = error && { error, where };
    },
  };
};

/** A server's way to PostgreSQL, on a fake clock. To be started once its parts are there. */
export const createFakeTimeSession = (url: string, system: FakeSystem) => {
  const pool = createFakeTimePool(url, system);
  const unreadable = new Set<string>();
  const session = createPostgresSession({
    clock: system.clock,
    pool,
    events: {
      stateLost: () => {},
      stateFound: () => {},
      stateCalled: () => {},
      layoutChanged: () => {},
      recordUnreadable: (name) => void unreadable.add(name),
      requestFailed: (error) => {
        throw error;
      },
    },
  });
  onTestFinished(() => session.close());
  const storesAt = (perSecond: number, isCurrent = () => true) => ({
    platform: createPostgresPlatformStore(session, perSecond),
    tokens: createPostgresTokenStore(system, session, isCurrent),
  });
  return { session, pool, storesAt, unreadable };
};

/** An answer may lead to another question. */
const allAnswered = async (pools: readonly FakeTimePool[]): Promise<void> => {
  for (;;) {
    const calls = pools.flatMap((pool) => pool.answering() ?? []);
    if (calls.length === 0) return;
    await Promise.all(calls);
    await macrotask();
  }
};

/** Lets time go by in steps, and everything that was asked be answered in between. */
export const passWithPools = async (
  system: FakeSystem,
  pools: readonly FakeTimePool[],
  { ms, stepMs = 5 }: { ms: number; stepMs?: number },
): Promise<void> => {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await system.advance(stepMs);
    await allAnswered(pools);
    await macrotask();
  }
};
