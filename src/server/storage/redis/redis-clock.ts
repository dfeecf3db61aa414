import type { Clock } from '#server/system.ts';

export type RedisClock = {
  /** Redis's wall clock as far as we know it: never behind it, ahead by the shortest way there at most. */
  readonly nowMs: () => number;
  /** What Redis's clock said, asked and answered at these times of our monotonic one. */
  readonly heard: (redisMs: number, askedMs: number, answeredMs: number) => 'steady' | 'leapt';
  /** Another process may have another clock. */
  readonly forget: () => void;
};

/** Farther than this from what we expect, it leapt: by itself, or because we were asleep. */
export const LEAP_MS = 10_000;
/**
 * What is older says little: clocks drift. A smaller leap ahead is not believed for at least as long as it is wide, so
 * that nothing is taken for refilled by it.
 */
const WINDOW_MS = LEAP_MS;

export const createRedisClock = (clock: Clock): RedisClock => {
  // Redis read its clock after we asked, so `Redis − asked` is too much by the way there, and the least is best.
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
    heard: (redisMs, askedMs, answeredMs) => {
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
