import { createMemoryPlatformStore, type Journal, type PlatformStore } from './platform/platform-store.ts';
import { isStanding, NEW_STANDING, type Standing } from './platform/standing.ts';
import type { System } from './system.ts';
import type { Database } from './storage/database.ts';
import { CONNECTIONS } from './storage/sql-dialect.ts';
import { isStorageFault } from './storage/storage-fault.ts';
import { createReadRecord, type ReadRecord } from './storage/stored-record.ts';
import { areHolds, createMemoryTokenStore, type Holds, type TokenStore } from './tokens/token-store.ts';
import type { SessionEvents } from './storage/postgres/session.ts';
import { createSpentProofs, type SpentProofs } from './visitors/captcha.ts';

export type State = {
  readonly platform: PlatformStore;
  readonly tokens: TokenStore;
  readonly proofs: SpentProofs;
  readonly problem: () => string | null;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type StateDeps = {
  readonly system: System;
  readonly perSecond: number;
  /** What other servers have removed lately is known. */
  readonly isCurrent?: () => boolean;
  readonly events: SessionEvents & { readonly journalFailed: () => void };
};

export type OpenState = (deps: StateDeps) => State;

type Journals = { readonly platform: Journal<Standing>; readonly tokens: Journal<Holds> };

export const openMemoryState =
  (journalsBy?: (read: ReadRecord) => Journals): OpenState =>
  ({ system, perSecond, events }) => {
    const { clock } = system;
    const journals = journalsBy?.(createReadRecord(events.recordUnreadable));
    /** What is known here still holds; lookups must not fail because a disk is full. */
    const tellFault = (error: unknown): void => {
      if (!isStorageFault(error)) throw error;
      events.journalFailed();
    };
    const forgiving = <T>(journal: Journal<T> | undefined): Journal<T> | undefined =>
      journal && { ...journal, keep: (kept) => journal.keep(kept).catch(tellFault) };
    return {
      platform: createMemoryPlatformStore(clock, perSecond, forgiving(journals?.platform)),
      tokens: createMemoryTokenStore(clock, forgiving(journals?.tokens)),
      proofs: createSpentProofs(system),
      problem: () => null,
      start: async () => {},
      close: async () => {},
    };
  };

/** Loaded only where there is one. */
export const openPostgresState = async (url: string, home: string): Promise<OpenState> => {
  const { createMessagePool } = await import('./storage/postgres/message-pool.ts');
  const { createPostgresSession } = await import('./storage/postgres/session.ts');
  const { createPostgresPlatformStore } = await import('./platform/postgres-platform-store.ts');
  const { createPostgresTokenStore } = await import('./tokens/postgres-token-store.ts');
  const { createPostgresSpentProofs } = await import('./visitors/postgres-spent-proofs.ts');
  return ({ system, perSecond, events, isCurrent = () => true }) => {
    const pool = createMessagePool(url, CONNECTIONS.leases);
    const session = createPostgresSession({ clock: system.clock, pool, events });
    // Of their own: a flood of proofs must not hold up leases.
    const proofPool = createMessagePool(url, CONNECTIONS.proofs);
    return {
      platform: createPostgresPlatformStore(session, perSecond),
      tokens: createPostgresTokenStore(system, session, isCurrent),
      proofs: createPostgresSpentProofs(system, { session, home, proofPool }),
      problem: session.problem,
      start: session.start,
      close: async () => {
        await session.close();
        await proofPool.end();
      },
    };
  };
};

/** For the next start, and for commands: the platform bans addresses, not processes. */
export const openJournals = async (database: Database): Promise<(read: ReadRecord) => Journals> => {
  const keepAs = (who: Who) => async (record: object) => {
    const row = { who, record: JSON.stringify(record) };
    await database
      .insertInto('standing')
      .values(row)
      .onConflict((conflict) => conflict.column('who').doUpdateSet(row))
      .execute();
  };
  const standing = await textOf(database, 'platform');
  const holds = await textOf(database, 'tokens');
  return (read) => ({
    platform: {
      before: read('standing.platform', standing, isStanding, NEW_STANDING),
      keep: keepAs('platform'),
    },
    tokens: { before: read<Holds>('standing.tokens', holds, areHolds, {}), keep: keepAs('tokens') },
  });
};

type Who = 'platform' | 'tokens';

const textOf = async (database: Database, who: Who): Promise<string | undefined> => {
  const all = database.selectFrom('standing').select('record');
  return (await all.where('who', '=', who).executeTakeFirst())?.record;
};

/** For a command, which repairs nothing. */
export const readSilently = createReadRecord(() => {});

export const readStanding = async (database: Database): Promise<Standing> =>
  readSilently('standing.platform', await textOf(database, 'platform'), isStanding, NEW_STANDING);
