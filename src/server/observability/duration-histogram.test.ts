import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDurationHistogram } from './duration-histogram.ts';

const read = (durationsMs: readonly number[]) => {
  const histogram = createDurationHistogram();
  for (const ms of durationsMs) histogram.observe(ms);
  return histogram.read();
};

describe('createDurationHistogram', () => {
  it('counts for each bound what took at most so long, in seconds', () => {
    const { buckets, count, sumSeconds } = read([0, 1, 1.1, 100, 250.5, 10_000, 10_001, 60_000]);
    const counts = new Map(buckets);
    expect([0.001, 0.0025, 0.1, 0.25, 0.5, 5, 10].map((bound) => counts.get(bound))).toEqual([
      2, 3, 4, 4, 5, 5, 6,
    ]);
    expect([count, sumSeconds]).toEqual([8, 80.3536]);
  });

  it('agrees with counting by hand', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })), (durationsMs) => {
        const { buckets, count } = read(durationsMs);
        expect(count).toBe(durationsMs.length);
        for (const [bound, below] of buckets)
          expect(below).toBe(durationsMs.filter((ms) => ms <= bound * 1_000).length);
      }),
    );
  });
});
