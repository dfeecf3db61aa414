import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { REDIS_MISSING, startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { startTestStore, type TestStore } from '#test/support/shared-store.ts';
import { createSharedVisitorCounters } from './shared-visitor-counters.ts';
import {
  createVisitorCounters,
  type Allowance,
  type LimitDecision,
  type LimitedEvent,
  type VisitorCounters,
} from './visitor-counters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Real time goes by between two calls, so nothing here happens within so little of a boundary. */
const SLACK_MS = 5_000;

const keyOf = (number: number): Buffer => hash('sha256', String(number), 'buffer');
const event = (limit: string, allowance: Allowance, key = 1): LimitedEvent => ({
  limit,
  key: keyOf(key),
  allowance,
});
const hourly: Allowance = { count: 1, periodMs: HOUR, burst: 3 };

let server: RedisServer;
let store: TestStore;
beforeAll(async () => {
  if (REDIS_MISSING !== null) return;
  server = await startRedisServer();
  store = await startTestStore(server.url);
});
afterAll(async () => {
  if (REDIS_MISSING !== null) return;
  store.close();
  await server[Symbol.asyncDispose]();
});

type SetUp = {
  readonly nodes: readonly [VisitorCounters, VisitorCounters];
  readonly pass: (ms: number) => Promise<void>;
};

const setUpMemory = async (): Promise<SetUp> => {
  const system = createFakeSystem();
  const counters = createVisitorCounters({ clock: system.clock });
  return { nodes: [counters, counters], pass: async (ms) => system.stall(ms) };
};

/** For Redis, time goes by when what it holds is moved back. */
const MOVE_BACK = `
for _, key in ipairs(redis.call('KEYS', '*')) do
  redis.call('SET', key, string.format('%.17g', redis.call('GET', key) - ARGV[1]), 'KEEPTTL')
end`;

const setUpShared = async (): Promise<SetUp> => {
  await store.send('FLUSHALL');
  let passedMs = 0;
  const clock = { ...realSystem.clock, monotonicMs: () => performance.now() + passedMs };
  return {
    nodes: [createSharedVisitorCounters(clock, store), createSharedVisitorCounters(clock, store)],
    pass: async (ms) => {
      passedMs += ms;
      await store.send('EVAL', MOVE_BACK, '0', `${ms}`);
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
  ['memory', setUpMemory, null],
  ['a shared store', setUpShared, REDIS_MISSING],
] as const)('counters in %s', (_, setUp, missing) => {
  it.skipIf(missing !== null)('let a burst through, then one event per interval', async () => {
    const { nodes, pass } = await setUp();
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

  it.skipIf(missing !== null)('count against none of the allowances when one refuses', async () => {
    const { nodes } = await setUp();
    const spent = event('spent', { count: 1, periodMs: 1_000 * HOUR, burst: 1 });
    await nodes[0].take([spent]);
    for (let attempt = 0; attempt < 20; attempt += 1)
      expectLike(await nodes[attempt % 2 === 0 ? 0 : 1].take([event('a', hourly), spent]), {
        allowed: false,
        retryAfterMs: 1_000 * HOUR,
      });
    expectLike(await nodes[1].take([event('a', hourly)]), { allowed: true, pressure: 1 / 3 });
  });

  it.skipIf(missing !== null)('let no more than the burst through, however many ask at once', async () => {
    const { nodes } = await setUp();
    const asked = Array.from({ length: 100 }, (__, n) =>
      nodes[n % 2 === 0 ? 0 : 1].take([event('a', hourly)]),
    );
    const decisions = await Promise.all(asked);
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(3);
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

describe.skipIf(REDIS_MISSING !== null)('counters in a shared store', () => {
  it('decide like those in memory, whoever asks for what and when', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const [memory, shared] = [await setUpMemory(), await setUpShared()];
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

  it('do not ask again about whom they have turned away, until that is over', async () => {
    const { nodes, pass } = await setUpShared();
    const [one, other] = nodes;
    for (let use = 0; use < 4; use += 1) await one.take([event('a', hourly)]);
    const before = store.calls.answered;
    const flood = Array.from({ length: 200 }, () => one.take([event('b', hourly, 2), event('a', hourly)]));
    expect((await Promise.all(flood)).some((decision) => decision.allowed)).toBe(false);
    expect(store.calls.answered - before).toBeLessThan(20);
    // Not under terms that are more generous.
    expectLike(await one.take([event('a', { ...hourly, burst: 6 })]), { allowed: true, pressure: 4 / 6 });
    expectLike(await other.take([event('b', hourly, 2)]), { allowed: true, pressure: 1 / 3 });
    await pass(2 * HOUR);
    expect(await one.take([event('a', hourly)])).toMatchObject({ allowed: true });
  });

  it('keep nothing that is paid off', async () => {
    const { nodes } = await setUpShared();
    await nodes[0].take([event('a', { count: 1, periodMs: HOUR, burst: 1 })]);
    const [key] = (await store.send('KEYS', '*')) as string[];
    expect(Number(await store.send('PTTL', key ?? ''))).toBeLessThanOrEqual(HOUR);
    expect(key).not.toContain('192.0.2.1');
  });

  it('are closed while the store is gone', async () => {
    await using own = await startRedisServer();
    using gone = await startTestStore(own.url);
    const counters = createSharedVisitorCounters(realSystem.clock, gone);
    own.signal('SIGKILL');
    await own.ended;
    await expect(counters.take([event('a', hourly)])).rejects.toMatchObject({ code: 'store-unavailable' });
  });
});
