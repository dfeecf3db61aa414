import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createEgressRate } from './egress-gate.ts';

describe('createEgressRate', () => {
  it('never lets more than its number pass in any second', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 500 })),
        fc.array(fc.oneof(fc.nat(300), fc.double({ min: 0, max: 30, noNaN: true })), { maxLength: 600 }),
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

  it('lets few pass at once, and the others evenly', () => {
    const sent = sendWhenFree(createEgressRate(50), { untilMs: 1_000, lateMs: () => 0 });
    expect(sent.length).toBeLessThanOrEqual(50);
    expect(sent.filter((time) => time < 100).length).toBeLessThanOrEqual(6);
  });

  it.each([1, 7, 50, 1_000, 10_000])(
    'of %i a second uses 97 %% in the long run, however late',
    (perSecond) => {
      const draw = createFakeSystem().random;
      const untilMs = perSecond < 50 ? 600_000 : 20_000;
      const sent = sendWhenFree(createEgressRate(perSecond), { untilMs, lateMs: () => draw.integer(10) });
      expect(sent.length / (perSecond * (untilMs / 1_000))).toBeGreaterThanOrEqual(0.97);
    },
  );
});

/** Somebody who always has something to send, and wakes up late. */
const sendWhenFree = (
  rate: ReturnType<typeof createEgressRate>,
  { untilMs, lateMs }: { untilMs: number; lateMs: () => number },
): number[] => {
  const sent: number[] = [];
  for (let nowMs = 0; nowMs < untilMs; nowMs = rate.freeAtMs() > nowMs ? rate.freeAtMs() + lateMs() : nowMs) {
    rate.sent(nowMs);
    sent.push(nowMs);
  }
  return sent;
};
