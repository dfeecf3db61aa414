import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { startTestStore, type TestStore } from '#test/support/shared-store.ts';
import { createRedisVisitorCounters } from './redis-visitor-counters.ts';
import {
  createMemoryVisitorCounters,
  type Allowance,
  type LimitDecision,
  type LimitedEvent,
  type VisitorCounters,
} from './visitor-counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Real time goes by between two calls, so nothing here happens within so little of a boundary. */
const SLACK_MS = 5_000;

const event = (limit: string, allowance: Allowance, key = 1): LimitedEvent => ({
  limit,
  key: hash('sha256', String(key), 'buffer'),
  allowance,
});
const hourly: Allowance = { count: 1, periodMs: HOUR, burst: 3 };
const once: Allowance = { count: 1, periodMs: 1_000 * HOUR, burst: 1 };

let store: TestStore;
beforeAll(async () => {
  if (REDIS_MISSING === null) store = await startTestStore(await redisUrl());
});
afterAll(() => store?.close());

type Form = {
  readonly nodes: readonly [VisitorCounters, VisitorCounters];
  readonly pass: (ms: number) => Promise<void>;
};

const inMemory = async (): Promise<Form> => {
  const system = createFakeSystem();
  const counters = createMemoryVisitorCounters(system);
  return { nodes: [counters, counters], pass: async (ms) => system.stall(ms) };
};

/** For Redis, time goes by when what it holds is moved back. */
const MOVE_BACK = `
for _, key in ipairs(redis.call('KEYS', ARGV[1])) do
  redis.call('SET', key, string.format('%.17g', redis.call('GET', key) - ARGV[2]), 'KEEPTTL')
end`;

let forms = 0;
const inRedis = async (): Promise<Form> => {
  const prefix = `${(forms += 1)}:`;
  const own = { ...store, key: (name: string) => store.key(prefix + name) };
  let passedMs = 0;
  const clock = { ...realSystem.clock, monotonicMs: () => performance.now() + passedMs };
  return {
    nodes: [createRedisVisitorCounters(clock, own), createRedisVisitorCounters(clock, own)],
    pass: async (ms) => {
      passedMs += ms;
      await store.send('EVAL', MOVE_BACK, '0', own.key('*'), `${ms}`);
    },
  };
};

/** Equal but for what real time does. */
const expectLike = (actual: LimitDecision, expected: LimitDecision): void => {
  expect(actual.allowed).toBe(expected.allowed);
  if (actual.allowed && expected.allowed) expect(actual.pressure).toBeCloseTo(expected.pressure, 2);
  if (!actual.allowed && !expected.allowed)
    expect(Math.abs(actual.retryAfterMs - expected.retryAfterMs)).toBeLessThan(SLACK_MS);
};

describe.each([
  ['memory', inMemory, null],
  ['Redis', inRedis, REDIS_MISSING],
] as const)('counters in %s', (_, create, missing) => {
  it.skipIf(missing !== null)('let a burst through, then one event per interval', async () => {
    const { nodes, pass } = await create();
    const take = (node: 0 | 1 = 0) => nodes[node].take([event('a', hourly)]);
    expectLike(await take(), { allowed: true, pressure: 1 / 3 });
    expectLike(await take(1), { allowed: true, pressure: 2 / 3 });
    expectLike(await take(), { allowed: true, pressure: 1 });
    for (const node of [0, 1, 0, 1] as const)
      expectLike(await take(node), { allowed: false, retryAfterMs: HOUR });
    await pass(40 * MINUTE);
    for (const node of [1, 0] as const)
      expectLike(await take(node), { allowed: false, retryAfterMs: 20 * MINUTE });
    await pass(21 * MINUTE);
    expectLike(await take(1), { allowed: true, pressure: 179 / 180 });
    expectLike(await take(), { allowed: false, retryAfterMs: 59 * MINUTE });
  });

  it.skipIf(missing !== null)('let no more than the burst through at once, also after a rest', async () => {
    const { nodes, pass } = await create();
    for (const restMs of [0, 100 * HOUR]) {
      await pass(restMs);
      const asked = Array.from({ length: 100 }, async (__, n) =>
        nodes[n % 2 ? 1 : 0].take([event('a', hourly)]),
      );
      expect((await Promise.all(asked)).filter(({ allowed }) => allowed)).toHaveLength(3);
    }
  });

  it.skipIf(missing !== null)('count keys and limits apart', async () => {
    const { nodes } = await create();
    for (const limit of ['a', 'b'])
      for (const key of [1, 2])
        for (const allowed of [true, false])
          expect(await nodes[0].take([event(limit, once, key)])).toMatchObject({ allowed });
  });

  it.skipIf(missing !== null)('report the highest pressure and the longest wait', async () => {
    const { nodes } = await create();
    const both = [event('narrow', hourly), event('wide', { count: 1, periodMs: 10 * HOUR, burst: 2 })];
    expectLike(await nodes[0].take(both), { allowed: true, pressure: 1 / 2 });
    expectLike(await nodes[0].take(both), { allowed: true, pressure: 1 });
    await nodes[1].take([event('narrow', hourly)]);
    expectLike(await nodes[0].take(both), { allowed: false, retryAfterMs: 10 * HOUR });
  });

  it.skipIf(missing !== null)('count against none of the allowances when one refuses', async () => {
    const { nodes } = await create();
    const spent = event('spent', once);
    await nodes[0].take([spent]);
    for (let attempt = 0; attempt < 20; attempt += 1)
      expectLike(await nodes[attempt % 2 === 0 ? 0 : 1].take([event('a', hourly), spent]), {
        allowed: false,
        retryAfterMs: 1_000 * HOUR,
      });
    expectLike(await nodes[1].take([event('a', hourly)]), { allowed: true, pressure: 1 / 3 });
  });
});

const LIMITS: readonly (readonly [string, Allowance])[] = [
  ['one', { count: 1, periodMs: HOUR, burst: 2 }],
  ['two', { count: 2, periodMs: 3 * HOUR, burst: 1 }],
  ['three', { count: 3, periodMs: 2 * HOUR, burst: 4 }],
];
/** Never meets a multiple of any interval before the hundredth. */
const STEP_MS = 7.3 * MINUTE;

const step = fc.record({
  node: fc.constantFrom(0, 1),
  limits: fc.subarray([...LIMITS], { minLength: 1 }),
  key: fc.constantFrom(1, 2),
  steps: fc.constantFrom(0, 0, 0, 1, 2),
});

describe.skipIf(REDIS_MISSING !== null)('counters in Redis', () => {
  it('decide like those in memory, for any visitor, limit and time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const [memory, shared] = [await inMemory(), await inRedis()];
        for (const { node, limits, key, steps: count } of steps) {
          if (count > 0) for (const { pass } of [memory, shared]) await pass(count * STEP_MS);
          const events = limits.map(([limit, allowance]) => event(limit, allowance, key));
          const knownWaitMs = shared.nodes[node].knownWaitMs(events);
          const expected = await memory.nodes[node].take(events);
          const actual = await shared.nodes[node].take(events);
          if (knownWaitMs > 0) expectLike({ allowed: false, retryAfterMs: knownWaitMs }, actual);
          // From what it remembers a node may name a shorter wait, and the rest when that is over.
          const remembered =
            !actual.allowed && !expected.allowed && actual.retryAfterMs < expected.retryAfterMs;
          expectLike(actual, remembered ? actual : expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('answer a refused visitor from memory until the wait is over', async () => {
    const { nodes, pass } = await inRedis();
    const [one, other] = nodes;
    for (let use = 0; use < 4; use += 1) await one.take([event('a', hourly)]);
    const before = store.calls.answered;
    const flood = Array.from({ length: 200 }, async () =>
      one.take([event('b', hourly, 2), event('a', hourly)]),
    );
    expect((await Promise.all(flood)).some((decision) => decision.allowed)).toBe(false);
    expect(store.calls.answered - before).toBeLessThan(20);
    // Not under terms that are more generous.
    expectLike(await one.take([event('a', { ...hourly, burst: 6 })]), { allowed: true, pressure: 4 / 6 });
    expectLike(await other.take([event('b', hourly, 2)]), { allowed: true, pressure: 1 / 3 });
    await pass(2 * HOUR);
    expect(await one.take([event('a', hourly)])).toMatchObject({ allowed: true });
  });

  it('do not believe that anybody owes more than is allowed', async () => {
    const { nodes } = await inRedis();
    for (let use = 0; use < 3; use += 1) await nodes[0].take([event('a', hourly)]);
    expect(await nodes[1].take([event('a', hourly)])).toMatchObject({ allowed: false });
    const [key = ''] = (await store.send('KEYS', store.key(`${forms}:l:a:*`))) as string[];
    await store.send('SET', key, `${Date.now() + 240 * HOUR}`);
    expect(await nodes[1].take([event('a', { ...hourly })])).toMatchObject({ allowed: true });
  });

  it('keep nothing that is paid off, and refuse while Redis is gone', async () => {
    await using own = await startRedisServer();
    using alone = await startTestStore(own.url);
    const counters = createRedisVisitorCounters(realSystem.clock, alone);
    await counters.take([event('a', { ...hourly, burst: 1 })]);
    const keys = (await alone.send('KEYS', 'wf:l:*')) as string[];
    expect(keys).toEqual([expect.stringMatching(/^wf:l:a:[0-9a-f]{32}$/)]);
    expect(Number(await alone.send('PTTL', keys[0] ?? ''))).toBeLessThanOrEqual(HOUR);
    own.signal('SIGKILL');
    await own.ended;
    await expect(counters.take([event('a', hourly, 2)])).rejects.toMatchObject({ code: 'store-unavailable' });
  });
});
