import type { Clock } from '#server/system.ts';

/** Knows when there is more to do than can be done, so that what is begun is also finished. */
export type Overload = {
  /** Whether a request that comes in now may be worked on. */
  readonly admits: () => boolean;
  readonly begin: () => void;
  readonly end: () => void;
  /** Whether anybody was turned away within the last seconds. */
  readonly isShedding: () => boolean;
};

export type OverloadOptions = {
  readonly clock: Clock;
  readonly maxInFlight?: number;
  readonly maxDelayMs?: number;
};

/** How long whoever is turned away is asked to stay away. */
export const OVERLOAD_RETRY_MS = 2_000;
const PROBE_MS = 50;

/**
 * The event loop answers all requests that have come in, then runs the timers that are due. So a timer that is late
 * tells how long the requests of this turn have taken, while it still goes on: those that come last in a long turn are
 * refused, and the next turn starts afresh. The timer is set by requests only; an idle server has none.
 */
export const createOverload = (options: OverloadOptions): Overload => {
  const { clock, maxInFlight = 2_000, maxDelayMs = 200 } = options;
  let probeDueMs: number | null = null;
  let inFlight = 0;
  let refusedMs = -Infinity;

  const loopDelayMs = (nowMs: number): number => {
    if (probeDueMs === null) {
      probeDueMs = nowMs + PROBE_MS;
      clock.after(PROBE_MS, () => {
        probeDueMs = null;
      });
    }
    return nowMs - probeDueMs;
  };

  return {
    admits: () => {
      const nowMs = clock.monotonicMs();
      const admitted = loopDelayMs(nowMs) <= maxDelayMs && inFlight < maxInFlight;
      if (!admitted) refusedMs = nowMs;
      return admitted;
    },
    begin: () => {
      inFlight += 1;
    },
    end: () => {
      inFlight -= 1;
    },
    isShedding: () => clock.monotonicMs() - refusedMs < OVERLOAD_RETRY_MS,
  };
};
