/** How long things took, sorted into buckets: a fixed amount of memory and a few comparisons for each. */
export type DurationHistogram = {
  readonly observe: (ms: number) => void;
  readonly read: () => DurationReading;
};

export type DurationReading = {
  /** For each bound in seconds, how many took at most so long. */
  readonly buckets: readonly (readonly [seconds: number, count: number])[];
  readonly count: number;
  readonly sumSeconds: number;
};

/** From an answer out of memory to the longest that a visitor waits. */
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

export const createDurationHistogram = (): DurationHistogram => {
  // Doubles, because a count of 32 bits would start anew after a few weeks of load.
  const counts = new Float64Array(BOUNDS_MS.length + 1);
  let sumMs = 0;
  return {
    observe: (ms) => {
      let bucket = 0;
      while (bucket < BOUNDS_MS.length && ms > (BOUNDS_MS[bucket] as number)) bucket += 1;
      counts[bucket] = (counts[bucket] as number) + 1;
      sumMs += ms;
    },
    read: () => {
      let below = 0;
      const buckets = BOUNDS_MS.map((bound, bucket) => {
        below += counts[bucket] as number;
        return [bound / 1_000, below] as const;
      });
      return { buckets, count: below + (counts[BOUNDS_MS.length] as number), sumSeconds: sumMs / 1_000 };
    },
  };
};
