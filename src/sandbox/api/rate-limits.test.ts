import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFixedBucket, createRateLimits, createSlidingBucket } from './rate-limits.ts';

const SETTINGS = { limit: 30, periodMs: 30_000, mode: 'sliding', globalPerSecond: 50 } as const;

/** Requests at random gaps, with the outcome of each. */
const traffic = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  periodMs: fc.integer({ min: 100, max: 5_000 }),
  gapsMs: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_500 })), {
    minLength: 1,
    maxLength: 120,
  }),
});

const timesOf = (gapsMs: readonly number[]): number[] => {
  let nowMs = 1_000_000;
  return gapsMs.map((gapMs) => (nowMs += gapMs));
};

describe('a sliding bucket', () => {
  it('never lets through more than the burst plus what dripped back', () => {
    fc.assert(
      fc.property(traffic, ({ limit, periodMs, gapsMs }) => {
        const bucket = createSlidingBucket({ limit, periodMs });
        const passed = timesOf(gapsMs).filter((nowMs) => bucket.spend(nowMs).allowed);
        for (const [index, startMs] of passed.entries()) {
          for (const [later, endMs] of passed.slice(index).entries()) {
            const drippedBack = ((endMs - startMs) * limit) / periodMs;
            expect(later + 1).toBeLessThanOrEqual(limit + drippedBack + 1e-3);
          }
        }
      }),
    );
  });

  it('lets a client through that waited exactly as long as it was told, and not sooner', () => {
    fc.assert(
      fc.property(traffic, ({ limit, periodMs, gapsMs }) => {
        const bucket = createSlidingBucket({ limit, periodMs });
        for (const nowMs of timesOf(gapsMs)) {
          const refused = bucket.spend(nowMs);
          if (refused.allowed) continue;
          if (refused.resetAfterMs > 2)
            expect(bucket.spend(nowMs + refused.resetAfterMs - 1).allowed).toBe(false);
          expect(bucket.spend(nowMs + refused.resetAfterMs).allowed).toBe(true);
          return;
        }
      }),
    );
  });
});

it('a fixed bucket gives all slots back together', () => {
  const bucket = createFixedBucket({ limit: 2, periodMs: 1_000 });
  expect(bucket.spend(100)).toEqual({ allowed: true, remaining: 1, resetAfterMs: 1_000 });
  expect(bucket.spend(700)).toEqual({ allowed: true, remaining: 0, resetAfterMs: 400 });
  expect(bucket.spend(1_099).allowed).toBe(false);
  expect(bucket.spend(1_100)).toEqual({ allowed: true, remaining: 1, resetAfterMs: 1_000 });
});

it('a caller may send fifty requests in any one second, however they straddle the clock', () => {
  const limits = createRateLimits(SETTINGS);
  for (let n = 0; n < 50; n += 1) expect(limits.spendGlobal('a', 900)).toBeNull();
  expect(limits.spendGlobal('a', 1_100)).toBe(800);
  expect(limits.spendGlobal('b', 1_100)).toBeNull();
  expect(limits.spendGlobal('a', 1_900)).toBeNull();
});
