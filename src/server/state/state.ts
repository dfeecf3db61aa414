import {
  createMemoryPlatformStore,
  type Journal,
  type PlatformStore,
} from '#server/platform/platform-store.ts';
import { NEW_STANDING, type Standing } from '#server/platform/standing.ts';
import type { System } from '#server/system.ts';
import type { Database } from '#server/storage/database.ts';
import type { MessagePool } from '#server/storage/postgres/message-pool.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import { createMemoryTokenStore, type Holds, type TokenStore } from '#server/tokens/token-store.ts';
import { isRecord, parseJson } from '#shared/json.ts';
import type { PostgresSession, SessionEvents } from './postgres/session.ts';

export type State = {
  readonly platform: PlatformStore;
  readonly tokens: TokenStore;
  /** Null for a site of one server. */
  readonly shared: SharedState | null;
  readonly problem: () => string | null;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type SharedState = {
  readonly session: PostgresSession;
  /** The name of this very database: what a dump brings from another is void. */
  readonly home: string;
  /** For proofs alone: a flood of them must not hold up leases. */
  readonly proofPool: MessagePool;
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
  (journals?: Journals): OpenState =>
  ({ system: { clock }, perSecond, events }) => {
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
      shared: null,
      problem: () => null,
      start: async () => {},
      close: async () => {},
    };
  };

/** For the next start, and for commands: the platform bans addresses, not processes. */
export const openJournals = async (database: Database): Promise<Journals> => {
  const keepAs = (who: 'platform' | 'tokens') => async (record: object) => {
    const row = { who, record: JSON.stringify(record) };
    await database
      .insertInto('standing')
      .values(row)
      .onConflict((conflict) => conflict.column('who').doUpdateSet(row))
      .execute();
  };
  const holds = await readRecord(database, 'tokens');
  return {
    platform: { before: await readStanding(database), keep: keepAs('platform') },
    tokens: { before: areNumbers(holds) ? (holds as Holds) : {}, keep: keepAs('tokens') },
  };
};

const readRecord = async (database: Database, who: string): Promise<unknown> => {
  const all = database.selectFrom('standing').select('record');
  const row = await all.where('who', '=', who).executeTakeFirst();
  return parseJson(row?.record ?? '');
};

/** What cannot be read counts for nothing. */
export const readStanding = async (database: Database): Promise<Standing> => {
  const { bans, invalid } = ((await readRecord(database, 'platform')) ?? {}) as Partial<Standing>;
  const isWhole =
    isRecord(bans) &&
    Object.values(bans).every(areNumbers) &&
    Array.isArray(invalid) &&
    invalid.every(areNumbers);
  return isWhole ? { bans, invalid } : NEW_STANDING;
};

const areNumbers = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((field) => field === null || typeof field === 'number');
