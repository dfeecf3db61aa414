import type { Clock } from '#server/system.ts';

export type RecentCount = ReturnType<typeof createRecentCount>;

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Counts what happened in the last hour, to the minute, in a fixed amount of memory. */
export const createRecentCount = (clock: Clock) => {
  const counts = new Uint32Array(MINUTES);
  let added = 0;
  let currentMinute = Math.floor(clock.monotonicMs() / MINUTE_MS);

  /** Empties the cells of the minutes that have passed since the last call. */
  const catchUp = (): void => {
    const minute = Math.floor(clock.monotonicMs() / MINUTE_MS);
    const passed = Math.min(minute - currentMinute, MINUTES);
    for (let n = 1; n <= passed; n += 1) counts[(currentMinute + n) % MINUTES] = 0;
    currentMinute = minute;
  };

  return {
    add: (): void => {
      catchUp();
      const cell = currentMinute % MINUTES;
      counts[cell] = (counts[cell] ?? 0) + 1;
      added += 1;
    },
    /** Since the start. */
    added: (): number => added,
    total: (): number => {
      catchUp();
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
};
