// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createSecret } from '#server/platform/bot-token.ts';
import { CLOCK_TOLERANCE_MS } from '#server/storage/redis/redis-info.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { passWithStores } from '#test/support/fake-time-store.ts';
import { capacityOf, createLimitedClient } from '#test/support/limited-client.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { startSharedNode, type SharedNode } from '#test/support/shared-node.ts';

type Simulation = {
  readonly nodes: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly mode: 'sliding' | 'fixed';
  readonly perSecond?: number;
  readonly seed?: number;
  readonly delayMs?: (draw: number) => number;
  /** Half-way. */
  readonly mishap?: (nodes: SharedNode[], pass: (ms: number) => Promise<void>) => Promise<void>;
};

const LIMITS = { limit: 30, periodMs: 10_000, globalPerSecond: 50 };
const ID = '1' as Snowflake;

const demandOf = async (node: SharedNode): Promise<void> => {
  for (;;) {
    // While Redis is away nothing is lent; the next try is ours.
    const lease = await node.pool.lease().catch(() => null);
    if (lease === null) return;
    await lease.getUser(ID, Infinity).catch(() => null);
  }
};

/** Endless demand on every node, against the sandbox's own limits. */
const simulate = async (url: string, options: Simulation) => {
  const { nodes: count, tokens, seconds, mode, perSecond = 1e9, mishap } = options;
  const { seed = 7, delayMs = (draw: number) => 10 + 20 * draw } = options;
  const system = createFakeSystem({ seed });
  const limits = { ...LIMITS, mode };
  const { getUser, tally, arrivalsMs } = createLimitedClient({
    system,
    limits,
    delayMs,
  });
  const nodes: SharedNode[] = [];
  for (let n = 0; n < count; n += 1) {
    nodes.push(
      await startSharedNode({
        system,
        url,
        client: { getUser },
        perSecond,
        maxWaiting: Infinity,
        maxWaitMs: Infinity,
      }),
    );
  }
  for (const { pool } of nodes)
    for (let n = 0; n < tokens; n += 1) pool.add({ botId: `${n}`, secret: createSecret(`${n}`) });
  const stores = nodes.map(({ store }) => store);
  // The first handshake with an empty store.
  await passWithStores(system, stores, { ms: 1_050 });
  const demand = (): void => {
    for (const node of nodes) for (let n = 0; n < tokens + 5; n += 1) void demandOf(node);
  };
  demand();
  const before = tally.answered;
  await passWithStores(system, stores, { ms: (seconds * 1_000) / 2 });
  await mishap?.(nodes, (ms) => passWithStores(system, stores, { ms, stepMs: 50 }));
  if (mishap !== undefined) demand();
  const afterwards = tally.answered;
  await passWithStores(system, stores, { ms: (seconds * 1_000) / 2 });
  const capacity = capacityOf(limits, seconds) * tokens;
  for (const node of nodes) node[Symbol.dispose]();
  return {
    ...tally,
    afterwards: tally.answered - afterwards,
    share: (tally.answered - before) / capacity,
    arrivalsMs,
  };
};

/** The most that arrived in any second, half-open. */
const worstSecond = (arrivalsMs: readonly number[]): number => {
  const sorted = arrivalsMs.toSorted((a, b) => a - b);
  let first = 0;
  return sorted.reduce((worst, arrivedMs, n) => {
    while ((sorted[first] ?? 0) <= arrivedMs - 1_000) first += 1;
    return Math.max(worst, n - first + 1);
  }, 0);
};

const backAgain = (nodes: readonly SharedNode[]): Promise<unknown> =>
  vi.waitFor(() => nodes.forEach(({ store }) => store.session()), EVENTUALLY);

describe.skipIf(REDIS_MISSING !== null)('the pool of several nodes', () => {
  it.each([
    { nodes: 3, tokens: 3, mode: 'sliding', seconds: 60 },
    { nodes: 3, tokens: 3, mode: 'fixed', seconds: 30 },
  ] as const)(
    'uses all of $tokens tokens ($mode) on $nodes nodes, and is never turned away',
    async (setting) => {
      const run = await simulate(await redisUrl(), setting);
      expect(run.rateLimited).toBe(0);
      expect(run.share).toBeGreaterThan(0.99);
    },
  );

  it.each([1, 2])('is never turned away, however late requests and answers come (%i)', async (seed) => {
    const mode = seed % 2 === 0 ? 'fixed' : 'sliding';
    const delayMs = (draw: number) => (draw > 0.98 ? 2_000 : 5 + 30 * seed * draw);
    const run = await simulate(await redisUrl(), {
      nodes: 3,
      tokens: seed + 1,
      mode,
      seconds: 40,
      seed,
      delayMs,
    });
    expect(run.rateLimited).toBe(0);
    expect(run.answered).toBeGreaterThan(0);
  });

  it('keeps to one pace, where requests arrive', async () => {
    const run = await simulate(await redisUrl(), {
      nodes: 3,
      tokens: 60,
      mode: 'sliding',
      seconds: 10,
      perSecond: 50,
    });
    expect(worstSecond(run.arrivalsMs)).toBeLessThanOrEqual(50);
    expect(run.arrivalsMs.length).toBeGreaterThan(0.9 * 50 * 10);
  });

  it('keeps the whole pace on a node with 40 tokens, beside 300 that only another has', async () => {
    const system = createFakeSystem();
    const delayMs = (draw: number) => 10 + 20 * draw;
    const { getUser, arrivalsMs } = createLimitedClient({
      system,
      limits: { ...LIMITS, mode: 'sliding' },
      delayMs,
    });
    const url = await redisUrl();
    const start = async (from: number, count: number): Promise<SharedNode> => {
      const node = await startSharedNode({
        system,
        url,
        client: { getUser },
        perSecond: 50,
        maxWaiting: Infinity,
        maxWaitMs: Infinity,
      });
      for (let n = from; n < from + count; n += 1)
        node.pool.add({ botId: `${n}`, secret: createSecret(`${n}`) });
      return node;
    };
    using one = await start(0, 40);
    using other = await start(40, 300);
    const stores = [one.store, other.store];
    await passWithStores(system, stores, { ms: 1_050 });
    for (let n = 0; n < 45; n += 1) void demandOf(one);
    await passWithStores(system, stores, { ms: 10_000 });
    expect(arrivalsMs.length).toBeGreaterThan(0.9 * 50 * 10);
  });

  it.each(['sliding', 'fixed'] as const)('loses a node without being turned away (%s)', async (mode) => {
    const mishap = async ([first]: readonly SharedNode[]) => first?.store.kill();
    const run = await simulate(await redisUrl(), { nodes: 3, tokens: 3, mode, seconds: 30, mishap });
    expect(run.rateLimited).toBe(0);
    expect(run.share).toBeGreaterThan(0.95);
  });

  it.each(['sliding', 'fixed'] as const)(
    'rests when Redis has lost its memory, and is not turned away (%s)',
    async (mode) => {
      await using before = await startRedisServer();
      await using stack = new AsyncDisposableStack();
      const mishap = async (nodes: readonly SharedNode[]) => {
        before.signal('SIGKILL');
        await before.ended;
        stack.use(await startRedisServer({ port: before.port }));
        await backAgain(nodes);
      };
      const run = await simulate(before.url, { nodes: 2, tokens: 3, mode, seconds: 40, mishap });
      expect(run.rateLimited).toBe(0);
      const sorted = run.arrivalsMs.toSorted((a, b) => a - b);
      const longestGapMs = Math.max(...sorted.map((ms, n) => ms - (sorted[n - 1] ?? 0)).slice(1));
      expect(longestGapMs).toBeGreaterThan(LIMITS.periodMs - 1_000);
      // Fixed windows may have been used up, and waited for, just before.
      expect(longestGapMs).toBeLessThan(2 * LIMITS.periodMs);
      // Ten of forty seconds are spent resting.
      expect(run.share).toBeGreaterThan(0.65);
    },
  );

  it('is not turned away, and lends again within a minute, whatever Redis’s clock does', async () => {
    const ms = fc.oneof(fc.integer({ min: -12_000, max: 12_000 }), fc.integer({ min: -90_000, max: 90_000 }));
    const leaps = fc.array(fc.record({ ms, forMs: fc.integer({ min: 50, max: 3_000 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    const leapOften = fc.asyncProperty(fc.constantFrom('sliding', 'fixed'), leaps, async (mode, steps) => {
      const mishap = async (nodes: readonly SharedNode[], pass: (ms: number) => Promise<void>) => {
        let aheadMs = 0;
        const leapBy = (byMs: number): void => {
          aheadMs += byMs;
          for (const { store } of nodes) store.leap(byMs);
        };
        for (const step of steps) {
          leapBy(step.ms);
          await pass(step.forMs);
        }
        // Small differences stay for good.
        if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS) leapBy(-aheadMs);
        await pass(60_000);
      };
      // Half of it is longer than a period: a fixed window may be used up already.
      const setting = { nodes: 2, tokens: 1, seconds: 24, mode, mishap };
      const run = await simulate(await redisUrl(), setting);
      expect(run.rateLimited).toBe(0);
      expect(run.afterwards).toBeGreaterThan(0);
    });
    await fc.assert(leapOften, {
      // What a token may send again only because of the leap must not be sent.
      examples: [
        ['fixed', [{ ms: 9_000, forMs: 2_000 }]],
        ['fixed', [{ ms: -124, forMs: 513 }]],
      ],
      numRuns: 3,
      endOnFailure: true,
    });
  });
});
