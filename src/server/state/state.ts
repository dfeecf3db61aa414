import {
  createMemoryPlatformStore,
  type PlatformStore,
  type StandingJournal,
} from '#server/platform/platform-store.ts';
import type { System } from '#server/system.ts';
import { createMemoryTokenStore, type HoldJournal } from '#server/tokens/memory-token-store.ts';
import type { TokenStore } from '#server/tokens/token-store.ts';
import type { AdmissionStore } from './admission-store.ts';
import { createMemoryAdmissionStore } from './memory-admission-store.ts';

export type State = {
  readonly platform: PlatformStore;
  readonly tokens: TokenStore;
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

export type Journals = { readonly platform: StandingJournal; readonly tokens: HoldJournal };

export const openMemoryState =
  (journals?: Journals): OpenState =>
  ({ system, perSecond, events: { journalFailed: onJournalFailed } }) => {
    const { clock } = system;
    return {
      platform: createMemoryPlatformStore({
        clock,
        perSecond,
        journal: journals?.platform,
        onJournalFailed,
      }),
      tokens: createMemoryTokenStore({ clock, journal: journals?.tokens, onJournalFailed }),
      openAdmissions: () => createMemoryAdmissionStore({ system }),
      problem: () => null,
      siteNowMs: null,
      start: async () => {},
      close: async () => {},
    };
  };
