import { describe, expect, it } from 'vitest';
import { createSecret } from '#server/platform/bot-token.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { capacityOf, createLimitedClient, type LimitedClientOptions } from '#test/support/limited-client.ts';

type PoolSimulation = Omit<LimitedClientOptions, 'system'> & {
  readonly tokens: number;
  readonly seconds: number;
  readonly seed: number;
};

/**
 * The pool under endless demand, against the sandbox's own rate limits, in simulated time: only the network between
 * them is made up, with a delay of its own for every request and every answer, so that they overtake each other.
 */
const simulatePool = async (options: PoolSimulation) => {
  const { tokens, seconds, limits, seed, delayMs } = options;
  const system = createFakeSystem({ seed });
  const { advance } = system;
  const { getUser, tally } = createLimitedClient({ system, limits, delayMs });
  const { pool } = createTestPool({ system, client: { getUser }, maxWaiting: Infinity, maxWaitMs: Infinity });
  for (let n = 0; n < tokens; n += 1) pool.add({ botId: `${n}`, secret: createSecret(`${n}`) });

  const demand = async (): Promise<void> => {
    const lease = await pool.lease();
    await lease.getUser('1' as Snowflake, Infinity);
    void demand();
  };
  for (let n = 0; n < tokens * 5; n += 1) void demand();
  await advance(seconds * 1_000);

  return { ...tally, capacity: capacityOf(limits, seconds) * tokens };
};

const limits = { limit: 30, periodMs: 30_000, globalPerSecond: 50 };
const networks = {
  'a steady network': () => 20,
  'a jittery network': (draw: number) => 10 + 200 * draw,
  'a network with stalls': (draw: number) => (draw > 0.995 ? 2_000 : 10 + 90 * draw),
};

describe.each(['sliding', 'fixed'] as const)('the pool against %s limits', (mode) => {
  it.each(Object.entries(networks))(
    'on %s uses 99 %% of what there is and is never turned away',
    async (_, delayMs) => {
      const run = await simulatePool({
        tokens: 4,
        seconds: 300,
        limits: { ...limits, mode },
        seed: 7,
        delayMs,
      });
      expect(run.rateLimited).toBe(0);
      expect(run.answered / run.capacity).toBeGreaterThan(0.99);
    },
  );
});
