import type { Clock } from '#server/system.ts';

export type RedisClock = {
  /** Our estimate of Redis's wall clock: never behind it, and ahead by no more than the fastest one-way trip. */
  readonly nowMs: () => number;
  /** What Redis's clock said, asked and answered at these times of our monotonic one. */
  readonly observe: (redisMs: number, askedMs: number, answeredMs: number) => 'steady' | 'leapt';
  /** Another process may have another clock. */
  readonly forget: () => void;
};

/** A clock farther off than this has leapt: by itself, or because we were suspended. */
export const LEAP_MS = 10_000;
/**
 * Older readings say little, because clocks drift. A smaller leap ahead is ignored for at least as long as it is wide, so
 * that it refills no token.
 */
const WINDOW_MS = LEAP_MS;

export const createRedisClock = (clock: Clock): RedisClock => {
  // Redis read its clock after we asked, so `Redis − asked` is too large by the trip there: the smallest is the best.
  let leastBefore = Infinity;
  let least = Infinity;
  let windowEndsAtMs = -Infinity;

  const forget = (): void => {
    leastBefore = Infinity;
    least = Infinity;
  };
  const offsetMs = (): number => Math.min(least, leastBefore);

  return {
    nowMs: () => (offsetMs() === Infinity ? clock.wallMs() : clock.monotonicMs() + offsetMs()),
    observe: (redisMs, askedMs, answeredMs) => {
      const hasLeapt =
        redisMs - answeredMs > offsetMs() + LEAP_MS ||
        (offsetMs() !== Infinity && redisMs - askedMs < offsetMs() - LEAP_MS);
      if (hasLeapt) forget();
      if (answeredMs >= windowEndsAtMs) {
        leastBefore = least;
        least = Infinity;
        windowEndsAtMs = answeredMs + WINDOW_MS;
      }
      least = Math.min(least, redisMs - askedMs);
      return hasLeapt ? 'leapt' : 'steady';
    },
    forget,
  };
};
