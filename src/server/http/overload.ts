import type { Clock } from '#server/system.ts';

/** Knows when there is more to do than can be done, so that what is begun is also finished. */
export type Overload = ReturnType<typeof createOverload>;

export type OverloadOptions = { readonly clock: Clock; readonly maxInFlight?: number };

/** How long whoever is turned away is asked to stay away. */
export const OVERLOAD_RETRY_MS = 2_000;
const MAX_IN_FLIGHT = 2_000;
const PROBE_MS = 50;
const MAX_DELAY_MS = 200;
/** A single pause, as for the garbage or because the machine did something else, is no overload. */
const MAX_SINGLE_DELAY_MS = 1_000;
/** Refusing costs, too: where clients come back at once, it must not take the time that good work needs. */
const LONGEST_REFUSAL_MS = 30;

/**
 * The event loop answers all requests that have come in, then runs the timers that are due. So a timer that is late
 * tells how long requests have kept the loop busy, while they still do: once that has been long twice, those that come
 * last are refused for a moment. The timer is set by requests only; an idle server has none.
 */
export const createOverload = ({ clock, maxInFlight = MAX_IN_FLIGHT }: OverloadOptions) => {
  let probeDueMs: number | null = null;
  let maxDelayMs = MAX_SINGLE_DELAY_MS;
  let inFlight = 0;
  let refusedMs = -Infinity;

  const setProbe = (dueMs: number): number => {
    probeDueMs = dueMs;
    clock.after(PROBE_MS, () => {
      maxDelayMs = clock.monotonicMs() - dueMs > MAX_DELAY_MS ? MAX_DELAY_MS : MAX_SINGLE_DELAY_MS;
      probeDueMs = null;
    });
    return dueMs;
  };

  const loopDelayMs = (nowMs: number): number => {
    const delayMs = nowMs - (probeDueMs ?? setProbe(nowMs + PROBE_MS));
    if (delayMs <= maxDelayMs + LONGEST_REFUSAL_MS) return delayMs;
    // With very many ready connections the loop may not come to its timers for seconds.
    maxDelayMs = MAX_DELAY_MS;
    probeDueMs = nowMs + PROBE_MS;
    return 0;
  };

  return {
    /** Whether a request that comes in now may be worked on. */
    admits: (): boolean => {
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
