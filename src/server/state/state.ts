import type { System } from '#server/system.ts';
import type { AdmissionStore } from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';
import { openMemoryTokenStore, type StandingJournal } from './memory-token-store.ts';
import type { OpenTokenStore } from './token-store.ts';

/** What servers must agree on: in memory if there is only one, else in PostgreSQL. */
export type State = {
  readonly openTokens: OpenTokenStore;
  readonly openAdmissions: () => AdmissionStore;
  /** Why PostgreSQL cannot be used; null if it can, and if it is not needed. */
  readonly problem: () => string | null;
  /** The time of all servers together; null if there is only one. */
  readonly siteNowMs: (() => number) | null;
  /** Resolves once everything has been read for the first time. */
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StateEvents = {
  readonly stateLost: (problem: string) => void;
  readonly stateFound: () => void;
  readonly stateCalled: (tookMs: number, outcome: 'answered' | 'failed') => void;
  /** A server of another version has changed the tables: this one must end. */
  readonly layoutChanged: () => void;
  readonly requestFailed: (error: unknown) => void;
  /** What the platform holds against us could not be noted. */
  readonly journalFailed: () => void;
};

export type StateDeps = {
  readonly system: System;
  /** How many requests may leave in a second, and for how long a challenge is good. */
  readonly perSecond: number;
  readonly ttlMs: number;
  readonly events: StateEvents;
};

export type OpenState = (deps: StateDeps) => State;

/** For one server, or for a command on its machine. */
export const openMemoryState =
  (journal?: StandingJournal): OpenState =>
  ({ system, perSecond, events }) => ({
    openTokens: openMemoryTokenStore({
      clock: system.clock,
      perSecond,
      journal,
      onJournalFailed: events.journalFailed,
    }),
    openAdmissions: () => createMemoryAdmissionStore({ system }),
    problem: () => null,
    siteNowMs: null,
    start: async () => {},
    close: async () => {},
  });
