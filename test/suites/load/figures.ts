/** The value that so large a share of the samples does not exceed. */
export const percentile = (samples: readonly number[], share: number): number =>
  samples.toSorted((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * share))] ??
  Number.NaN;

export const median = (samples: readonly number[]): number => {
  const sorted = samples.toSorted((a, b) => a - b);
  const [lower = Number.NaN, upper = lower] = sorted.slice((sorted.length - 1) >> 1);
  return sorted.length % 2 === 1 ? lower : (lower + upper) / 2;
};

export const sum = (numbers: Iterable<number>): number =>
  Iterator.from(numbers).reduce((total, number) => total + number, 0);

export const describeLatency = (samplesMs: readonly number[]): string => {
  if (samplesMs.length === 0) return 'none';
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => percentile(samplesMs, share).toFixed(1));
  return `p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max} ms`;
};

export type Counts = ReturnType<typeof createCounts>;

export const createCounts = () => {
  const counts = new Map<string, number>();
  return Object.assign(counts, {
    add: (text: string): void => void counts.set(text, (counts.get(text) ?? 0) + 1),
    total: (): number => sum(counts.values()),
    describe: (): string =>
      [...counts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([text, count]) => `${text} ${count.toLocaleString('en')}×`)
        .join(', '),
  });
};
