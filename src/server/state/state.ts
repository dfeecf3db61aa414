import {
  createMemoryPlatformStore,
  type PlatformStore,
  type StandingJournal,
} from '#server/platform/platform-store.ts';
import type { System } from '#server/system.ts';
import { createMemoryTokenStore, type HoldJournal } from '#server/tokens/memory-token-store.ts';
import type { TokenStore } from '#server/tokens/token-store.ts';
import type { MessagePool } from '#server/storage/postgres/message-pool.ts';
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
      shared: null,
      problem: () => null,
      start: async () => {},
      close: async () => {},
    };
  };
