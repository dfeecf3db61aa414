import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createMemoryVisitorCounters, type Allowance } from './visitor-counters.ts';

/** A clock that a test sets by hand; cheaper than advancing a fake system thousands of times. */
const setUp = (allowance: Allowance, slotsPerLimit = 2 ** 10) => {
  let nowMs = 0;
  const clock = { ...createFakeSystem().clock, monotonicMs: () => nowMs };
  const counters = createMemoryVisitorCounters({ clock, slotsPerLimit });
  const events = (key: number) => [{ limit: 'a', key: hash('sha256', `${key}`, 'buffer'), allowance }];
  return {
    take: (key = 1) => counters.take(events(key)),
    knownWaitMs: (key = 1) => counters.knownWaitMs(events(key)),
    pass: (ms: number) => (nowMs += ms),
  };
};

const perMinute: Allowance = { count: 60, periodMs: 60_000, burst: 3 };
const once: Allowance = { count: 1, periodMs: 1e9, burst: 1 };

describe('more visitors than slots', () => {
  it('never charge one for another', () => {
    const { take } = setUp(once, 16);
    for (let key = 0; key < 10_000; key += 1) expect(take(key)).toEqual({ allowed: true, pressure: 1 });
  });

  it('make those be forgotten who owe least', () => {
    const { take } = setUp({ count: 3, periodMs: 1e9, burst: 3 }, 16);
    for (let use = 0; use < 3; use += 1) take(0);
    for (let key = 1; key < 10_000; key += 1) take(key);
    expect(take(0)).toMatchObject({ allowed: false });
    expect(take(1)).toEqual({ allowed: true, pressure: 1 / 3 });
  });
});

describe('knownWaitMs', () => {
  it('says what take will say, and counts nothing', () => {
    const { take, knownWaitMs, pass } = setUp(perMinute);
    for (const restMs of [0, 0, 0, 0, 400, 600, 0, 5_000, 0]) {
      pass(restMs);
      const said = knownWaitMs();
      for (let again = 0; again < 10; again += 1) expect(knownWaitMs()).toBe(said);
      expect(take()).toMatchObject(said > 0 ? { allowed: false, retryAfterMs: said } : { allowed: true });
    }
  });

  it('makes nobody be forgotten', () => {
    const { take, knownWaitMs } = setUp(once, 16);
    take();
    for (let key = 2; key < 1_000; key += 1) knownWaitMs(key);
    expect(take()).toMatchObject({ allowed: false });
  });
});

const allowances = fc.record({
  count: fc.integer({ min: 1, max: 1_000 }),
  periodMs: fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000),
  burst: fc.integer({ min: 1, max: 50 }),
});

/** Pauses in intervals of the allowance, with a bias to none. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5, noNaN: true })), {
  minLength: 1,
  maxLength: 200,
});

describe('GCRA', () => {
  it('never admits more than burst + rate · t in any span', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, pausesInIntervals) => {
        const { take, pass } = setUp(allowance);
        const intervalMs = allowance.periodMs / allowance.count;
        const admitted: number[] = [];
        for (const pause of pausesInIntervals) {
          const atMs = pass(pause * intervalMs);
          if (take().allowed) admitted.push(atMs);
        }
        for (const [first, fromMs] of admitted.entries()) {
          for (const [last, toMs] of admitted.entries()) {
            if (last < first) continue;
            const spanMs = toMs - fromMs + 0.02;
            expect(last - first + 1).toBeLessThanOrEqual(allowance.burst + spanMs / intervalMs);
          }
        }
      }),
    );
  });

  it('always admits within the burst, whatever the rounding', () => {
    const starts = fc.double({ min: 0, max: 1e11, noNaN: true });
    fc.assert(
      fc.property(allowances, starts, (allowance, startMs) => {
        const { take, pass } = setUp(allowance);
        pass(startMs);
        for (let use = 0; use < allowance.burst; use += 1) expect(take()).toMatchObject({ allowed: true });
      }),
    );
  });

  it('keeps its word: after retryAfterMs the event is admitted', () => {
    fc.assert(
      fc.property(allowances, pauses, (allowance, pausesInIntervals) => {
        const { take, pass } = setUp(allowance);
        for (const pause of pausesInIntervals) {
          pass((pause * allowance.periodMs) / allowance.count);
          const decision = take();
          if (decision.allowed) continue;
          pass(decision.retryAfterMs);
          expect(take()).toMatchObject({ allowed: true });
        }
      }),
    );
  });
});
