import { isUnavailable } from '#server/app-error.ts';
import { FLIGHT_MS } from '#server/deadlines.ts';
import { sleep, steadyClock, type Clock, type MaybePromise } from '#server/system.ts';
import { NEW_STANDING, type Standing } from './standing.ts';

/** How late a send may be without slowing down those after it. */
const LATE_MS = 10;

export const MAX_LATE_MS = 30;

/** How much closer together requests may be when they arrive than when they were granted. */
const JITTER_MS = 20;
/** Several servers wait for their slots each by its own timer, and each on its own way from PostgreSQL. */
export const SHARED_JITTER_MS = 80;

/** GCRA. Lateness and jitter are taken off the rate: no second at the platform sees more than `perSecond`. */
export const sendIntervalMs = (perSecond: number, jitterMs = JITTER_MS): number =>
  (1_000 + LATE_MS + jitterMs) / perSecond;

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

/** What one process knows, for its next start and for commands. */
export type Journal<T> = { readonly before: T; readonly keep: (kept: T) => Promise<void> };

const NO_JOURNAL: Journal<Standing> = { before: NEW_STANDING, keep: async () => {} };

export const createMemoryPlatformStore = (
  clock: Clock,
  perSecond: number,
  journal = NO_JOURNAL,
): PlatformStore => {
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
      return journal.keep(next).then(() => true);
    },
  };
};

const RECORD_AGAIN_MS = 250;

/** PostgreSQL may be out of reach when an answer comes: as long as the request counts as in flight, there is time. */
export const recordPatiently = async (
  clock: Clock,
  record: () => Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> => {
  const deadlineMs = clock.monotonicMs() + FLIGHT_MS;
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isUnavailable(error)) return onFailure(error);
      if (clock.monotonicMs() > deadlineMs) return;
      await sleep(clock, RECORD_AGAIN_MS);
    }
  }
};
