import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createVisitorCounters, type Allowance, type LimitedEvent } from './visitor-counters.ts';

const keyOf = (number: number): Buffer => hash('sha256', String(number), 'buffer');

const event = (limit: string, allowance: Allowance, key = keyOf(1)): LimitedEvent => ({
  limit,
  key,
  allowance,
});

/** A clock that a test sets by hand; cheaper than advancing a fake system thousands of times. */
const setUp = (slotsPerLimit?: number) => {
  let nowMs = 0;
  const clock = { ...createFakeSystem().clock, monotonicMs: () => nowMs };
  const counters = createVisitorCounters(slotsPerLimit === undefined ? { clock } : { clock, slotsPerLimit });
  return { counters, pass: (ms: number) => (nowMs += ms) };
};

const perMinute: Allowance = { count: 60, periodMs: 60_000, burst: 3 };

describe('take', () => {
  it('lets a burst through, then one event per interval', async () => {
    const { counters, pass } = setUp();
    const take = () => counters.take([event('a', perMinute)]);
    expect(await take()).toEqual({ allowed: true, pressure: 1 / 3 });
    expect(await take()).toEqual({ allowed: true, pressure: 2 / 3 });
    expect(await take()).toEqual({ allowed: true, pressure: 1 });
    expect(await take()).toEqual({ allowed: false, retryAfterMs: 1_000 });
    pass(400);
    expect(await take()).toEqual({ allowed: false, retryAfterMs: 600 });
    pass(600);
    expect(await take()).toMatchObject({ allowed: true });
    expect(await take()).toMatchObject({ allowed: false });
  });

  it('lets the whole burst through again after a long rest, not more', async () => {
    const { counters, pass } = setUp();
    pass(10_000_000);
    const decisions = await Promise.all(
      Array.from({ length: 5 }, () => counters.take([event('a', perMinute)])),
    );
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  it('counts keys and limits apart', async () => {
    const { counters } = setUp();
    const once: Allowance = { count: 1, periodMs: 1_000, burst: 1 };
    for (const [limit, key] of [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['b', 2],
    ] as const) {
      expect(await counters.take([event(limit, once, keyOf(key))])).toMatchObject({ allowed: true });
      expect(await counters.take([event(limit, once, keyOf(key))])).toMatchObject({ allowed: false });
    }
  });

  it('never charges one key for another, however many come', async () => {
    const { counters } = setUp(16);
    const once: Allowance = { count: 1, periodMs: 1e9, burst: 1 };
    for (let key = 0; key < 10_000; key += 1)
      expect(await counters.take([event('a', once, keyOf(key))])).toEqual({ allowed: true, pressure: 1 });
  });

  it('forgets whoever owes least when more come than it can keep', async () => {
    const { counters } = setUp(16);
    const thrice: Allowance = { count: 3, periodMs: 1e9, burst: 3 };
    const take = (key: number) => counters.take([event('a', thrice, keyOf(key))]);
    for (let use = 0; use < 3; use += 1) await take(0);
    for (let key = 1; key < 10_000; key += 1) await take(key);
    expect(await take(0)).toMatchObject({ allowed: false });
    expect(await take(1)).toEqual({ allowed: true, pressure: 1 / 3 });
  });

  it('reports the highest pressure and the longest wait of all allowances', async () => {
    const { counters } = setUp();
    const wide: Allowance = { count: 10, periodMs: 100_000, burst: 2 };
    const both = [event('narrow', perMinute), event('wide', wide)];
    expect(await counters.take(both)).toEqual({ allowed: true, pressure: 1 / 2 });
    expect(await counters.take(both)).toEqual({ allowed: true, pressure: 1 });
    await counters.take([event('narrow', perMinute)]);
    expect(await counters.take(both)).toEqual({ allowed: false, retryAfterMs: 10_000 });
  });

  it('counts against none of the allowances when one refuses', async () => {
    const { counters } = setUp();
    const spent = event('spent', { count: 1, periodMs: 1e9, burst: 1 });
    await counters.take([spent]);
    for (let attempt = 0; attempt < 100; attempt += 1) {
      expect(await counters.take([event('a', perMinute), spent])).toMatchObject({ allowed: false });
    }
    expect(await counters.take([event('a', perMinute)])).toEqual({ allowed: true, pressure: 1 / 3 });
  });
});

describe('knownWaitMs', () => {
  it('says what take will say, and counts nothing', async () => {
    const { counters, pass } = setUp();
    const events = [event('a', perMinute)];
    for (const waitMs of [0, 0, 0, 0, 400, 600, 0, 5_000, 0]) {
      pass(waitMs);
      const said = counters.knownWaitMs(events);
      for (let again = 0; again < 10; again += 1) expect(counters.knownWaitMs(events)).toBe(said);
      expect(await counters.take(events)).toMatchObject(
        said > 0 ? { allowed: false, retryAfterMs: said } : { allowed: true },
      );
    }
  });

  it('makes nobody be forgotten', async () => {
    const { counters } = setUp(16);
    const once: Allowance = { count: 1, periodMs: 1e9, burst: 1 };
    await counters.take([event('a', once)]);
    for (let key = 2; key < 1_000; key += 1) counters.knownWaitMs([event('a', once, keyOf(key))]);
    expect(await counters.take([event('a', once)])).toMatchObject({ allowed: false });
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

const arrivals = async (allowance: Allowance, pausesInIntervals: readonly number[]) => {
  const { counters, pass } = setUp();
  const intervalMs = allowance.periodMs / allowance.count;
  const timeline: { atMs: number; allowed: boolean }[] = [];
  for (const pause of pausesInIntervals) {
    const atMs = pass(pause * intervalMs);
    const { allowed } = await counters.take([event('a', allowance)]);
    timeline.push({ atMs, allowed });
  }
  return { timeline, intervalMs };
};

describe('GCRA', () => {
  it('never admits more than burst + rate · t in any span', async () => {
    await fc.assert(
      fc.asyncProperty(allowances, pauses, async (allowance, pausesInIntervals) => {
        const { timeline, intervalMs } = await arrivals(allowance, pausesInIntervals);
        const admitted = timeline.filter(({ allowed }) => allowed).map(({ atMs }) => atMs);
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

  it('always admits within the burst, whatever the rounding', async () => {
    await fc.assert(
      fc.asyncProperty(
        allowances,
        fc.double({ min: 0, max: 1e11, noNaN: true }),
        async (allowance, startMs) => {
          const { counters, pass } = setUp();
          pass(startMs);
          for (let use = 0; use < allowance.burst; use += 1) {
            expect(await counters.take([event('a', allowance)])).toMatchObject({ allowed: true });
          }
        },
      ),
    );
  });

  it('keeps its word: after retryAfterMs the event is admitted', async () => {
    await fc.assert(
      fc.asyncProperty(allowances, pauses, async (allowance, pausesInIntervals) => {
        const { counters, pass } = setUp();
        for (const pause of pausesInIntervals) {
          pass((pause * allowance.periodMs) / allowance.count);
          const decision = await counters.take([event('a', allowance)]);
          if (decision.allowed) continue;
          pass(decision.retryAfterMs);
          expect(await counters.take([event('a', allowance)])).toMatchObject({ allowed: true });
        }
      }),
    );
  });
});
