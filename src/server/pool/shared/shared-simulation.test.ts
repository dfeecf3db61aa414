import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecret } from '#server/platform/bot-token.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { passWithStores } from '#test/support/fake-time-store.ts';
import { capacityOf, createLimitedClient } from '#test/support/limited-client.ts';
import { REDIS_MISSING, startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { startSharedNode, type SharedNode } from '#test/support/shared-node.ts';

type Simulation = {
  readonly nodes: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly mode: 'sliding' | 'fixed';
  readonly perSecond?: number;
  /** Half-way. */
  readonly mishap?: (nodes: SharedNode[]) => Promise<void>;
};

const LIMITS = { limit: 30, periodMs: 10_000, globalPerSecond: 50 };
const ID = '1' as Snowflake;

const demandOf = async (node: SharedNode): Promise<void> => {
  for (;;) {
    // While the engine is away nothing is lent; the next try is ours.
    const lease = await node.pool.lease().catch(() => null);
    if (lease === null) return;
    await lease.getUser(ID, Infinity).catch(() => null);
  }
};

/** Endless demand on every node, against the sandbox's own limits. */
const simulate = async (url: string, options: Simulation) => {
  const { nodes: count, tokens, seconds, mode, perSecond = 1e9, mishap } = options;
  const system = createFakeSystem({ seed: 7 });
  const limits = { ...LIMITS, mode };
  const { getUser, tally, arrivalsMs } = createLimitedClient({
    system,
    limits,
    delayMs: (draw) => 10 + 20 * draw,
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
  // The first greeting of an empty store.
  await passWithStores(system, stores, { ms: 1_050 });
  const demand = (): void => {
    for (const node of nodes) for (let n = 0; n < tokens + 5; n += 1) void demandOf(node);
  };
  demand();
  const before = tally.answered;
  await passWithStores(system, stores, { ms: (seconds * 1_000) / 2 });
  await mishap?.(nodes);
  if (mishap !== undefined) demand();
  await passWithStores(system, stores, { ms: (seconds * 1_000) / 2 });
  const capacity = capacityOf(limits, seconds) * tokens;
  for (const node of nodes) node[Symbol.dispose]();
  return { ...tally, share: (tally.answered - before) / capacity, arrivalsMs };
};

describe.skipIf(REDIS_MISSING !== null)('the pool of several nodes', { timeout: 120_000 }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  it.each([
    { nodes: 4, tokens: 3, mode: 'sliding' },
    { nodes: 4, tokens: 3, mode: 'fixed' },
    { nodes: 2, tokens: 20, mode: 'sliding' },
  ] as const)(
    'uses all of $tokens tokens ($mode) on $nodes nodes, and is never turned away',
    async (setting) => {
      const run = await simulate(
        `${redis.url}/${setting.nodes + (setting.tokens % 7)}?prefix=${setting.mode}`,
        {
          seconds: 60,
          ...setting,
        },
      );
      expect(run.rateLimited).toBe(0);
      expect(run.share).toBeGreaterThan(0.99);
    },
  );
});
