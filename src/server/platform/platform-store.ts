import { isStorageFault } from '#server/storage/storage-fault.ts';
import { steadyClock, type Clock, type MaybePromise } from '#server/system.ts';
import { LATE_MS, sendIntervalMs } from './pace.ts';
import { NEW_STANDING, type Standing } from './standing.ts';

/** What all who send to the platform must agree on: the pace and the standing. Times are by its own clock. */
export type PlatformStore = {
  readonly nowMs: () => number;
  /** As far as is known without asking anybody. */
  readonly standing: () => Standing;
  readonly slotWaitMs: () => number;
  /** When the next request may leave. Null if there is no slot, or the standing is another by now. */
  readonly takeSlot: (standing: Standing) => MaybePromise<number | null>;
  /** False if the standing is another by now. */
  readonly write: (standing: Standing, next: Standing) => MaybePromise<boolean>;
};

export type StandingJournal = {
  readonly before: Standing;
  readonly keep: (standing: Standing) => Promise<void>;
};

type MemoryPlatformStoreDeps = {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly journal?: StandingJournal | undefined;
  /** What is known here still holds; lookups must not fail because a disk is full. */
  readonly onJournalFailed?: (() => void) | undefined;
};

const NO_JOURNAL: StandingJournal = { before: NEW_STANDING, keep: async () => {} };

export const createMemoryPlatformStore = (deps: MemoryPlatformStoreDeps): PlatformStore => {
  const { clock, perSecond, journal = NO_JOURNAL, onJournalFailed = () => {} } = deps;
  const intervalMs = sendIntervalMs(perSecond);
  const nowMs = steadyClock(clock);
  let standing = journal.before;
  let tatMs = -Infinity;
  const slotWaitMs = (): number => tatMs - LATE_MS - nowMs();

  return {
    nowMs,
    standing: () => standing,
    slotWaitMs,
    takeSlot: (known) => {
      if (known !== standing || slotWaitMs() > 0) return null;
      const slotMs = nowMs();
      tatMs = Math.max(tatMs, slotMs) + intervalMs;
      return slotMs;
    },
    write: (known, next) => {
      if (known !== standing) return false;
      standing = next;
      return journal.keep(next).then(
        () => true,
        (error: unknown) => {
          if (!isStorageFault(error)) throw error;
          onJournalFailed();
          return true;
        },
      );
    },
  };
};
