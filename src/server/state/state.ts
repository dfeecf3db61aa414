import type { System } from '#server/system.ts';
import type { AdmissionStore } from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';
import { openMemoryTokenStore, type StandingJournal } from './memory-token-store.ts';
import type { OpenTokenStore } from './token-store.ts';

export type State = {
  readonly openTokens: OpenTokenStore;
  readonly openAdmissions: () => AdmissionStore;
  readonly problem: () => string | null;
  readonly siteNowMs: (() => number) | null;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type StateEvents = {
  readonly stateLost: (problem: string) => void;
  readonly stateFound: () => void;
  readonly stateCalled: (tookMs: number, outcome: 'answered' | 'failed') => void;
  readonly layoutChanged: () => void;
  readonly requestFailed: (error: unknown) => void;
  readonly journalFailed: () => void;
};

type StateDeps = {
  readonly system: System;
  readonly perSecond: number;
  readonly events: StateEvents;
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
    openAdmissions: () => createMemoryAdmissionStore({ system }),
    problem: () => null,
    siteNowMs: null,
    start: async () => {},
    close: async () => {},
  });
