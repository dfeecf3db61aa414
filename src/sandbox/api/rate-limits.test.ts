import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSlidingBucket } from './rate-limits.ts';

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

it('a sliding bucket lets a client through that waited exactly as long as it was told, and not sooner', () => {
  fc.assert(
    fc.property(traffic, ({ limit, periodMs, gapsMs }) => {
      const spend = createSlidingBucket({ limit, periodMs });
      for (const nowMs of timesOf(gapsMs)) {
        const refused = spend(nowMs);
        if (refused.allowed) continue;
        if (refused.resetAfterMs > 2) expect(spend(nowMs + refused.resetAfterMs - 1).allowed).toBe(false);
        expect(spend(nowMs + refused.resetAfterMs).allowed).toBe(true);
        return;
      }
    }),
  );
});
