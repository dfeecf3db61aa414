import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEgressRate } from './egress-gate.ts';

describe('createEgressRate', () => {
  it('never lets more than its number pass in any second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(300), { maxLength: 300 }),
        (perSecond, gaps) => {
          const rate = createEgressRate(perSecond);
          const sent: number[] = [];
          let nowMs = 0;
          for (const gap of gaps) {
            nowMs += gap;
            if (rate.freeAtMs() > nowMs) continue;
            rate.sent(nowMs);
            sent.push(nowMs);
          }
          for (const start of sent) {
            expect(sent.filter((time) => time >= start && time < start + 1_000).length).toBeLessThanOrEqual(
              perSecond,
            );
          }
        },
      ),
    );
  });

  it('lets a whole second’s worth pass at once', () => {
    const rate = createEgressRate(50);
    for (let n = 0; n < 50; n += 1) {
      expect(rate.freeAtMs()).toBeLessThanOrEqual(0);
      rate.sent(0);
    }
    expect(rate.freeAtMs()).toBe(1_000);
  });
});
