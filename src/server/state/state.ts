import type { System } from '#server/system.ts';
import type { MessagePool } from '#server/storage/postgres/message-pool.ts';
import { openMemoryTokenStore, type StandingJournal } from './memory-token-store.ts';
import type { PostgresSession, SessionEvents } from './postgres/session.ts';
import type { OpenTokenStore } from './token-store.ts';

export type State = {
  readonly openTokens: OpenTokenStore;
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
  readonly events: SessionEvents & { readonly journalFailed: () => void };
};

export type OpenState = (deps: StateDeps) => State;

export const openMemoryState =
  (journal?: StandingJournal): OpenState =>
  ({ system, perSecond, events }) => ({
    openTokens: openMemoryTokenStore({
      clock: system.clock,
      perSecond,
      journal,
      onJournalFailed: events.journalFailed,
    }),
    shared: null,
    problem: () => null,
    start: async () => {},
    close: async () => {},
  });
