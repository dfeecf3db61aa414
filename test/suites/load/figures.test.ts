import { expect, it } from 'vitest';
import { createCounts, describeLatency, median } from './figures.ts';

it('latency is described by percentiles, whatever the order of the samples', () => {
  const samples = Array.from({ length: 100 }, (_, n) => ((n * 37) % 100) + 1);
  expect(describeLatency(samples)).toBe('p50 51.0, p95 96.0, p99 100.0, max 100.0 ms');
  expect(describeLatency([])).toBe('none');
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});

it('counts are listed with the most frequent first', () => {
  const counts = createCounts();
  for (const text of ['a', 'b', 'b']) counts.add(text);
  expect([counts.describe(), counts.total()]).toEqual(['b 2×, a 1×', 3]);
});
