import { describe, expect, it } from 'vitest';
import { sleep } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { capacityOf, createLimitedClient, type LimitedClientOptions } from '#test/support/limited-client.ts';
import { botToken } from '#test/support/pool-kinds.ts';

const LIMITS = { limit: 30, periodMs: 30_000, globalPerSecond: 50 };
const [TOKENS, SECONDS] = [4, 300];

/**
 * The pool under endless demand, against the sandbox's own rate limits, in simulated time: only the network between
 * them is made up, with a delay of its own for every request and every answer, so that they overtake each other.
 */
const simulatePool = async ({ limits, delayMs }: Omit<LimitedClientOptions, 'system'>) => {
  const system = createFakeSystem({ seed: 7 });
  const { getUser, tally } = createLimitedClient({ system, limits, delayMs });
  const { pool } = createTestPool({ system, client: { getUser } });
  for (let n = 0; n < TOKENS; n += 1) pool.add(botToken(`${n}`));
  const demand = async (): Promise<void> => {
    for (;;) {
      const lease = await pool.lease().catch(() => null);
      if (lease === null) await sleep(system.clock, 200);
      else await lease.getUser('1' as Snowflake, Infinity);
    }
  };
  for (let n = 0; n < TOKENS * 5; n += 1) void demand();
  await system.advance(SECONDS * 1_000);
  return { ...tally, capacity: capacityOf(limits, SECONDS) * TOKENS };
};

describe.each(['sliding', 'fixed'] as const)('the pool against %s limits', (mode) => {
  it.each([
    ['a steady network', () => 20],
    ['a jittery network', (draw: number) => 10 + 200 * draw],
    ['a network with stalls', (draw: number) => (draw > 0.995 ? 2_000 : 10 + 90 * draw)],
  ])('on %s the pool uses nearly all there is and is never turned away', async (_, delayMs) => {
    const run = await simulatePool({ limits: { ...LIMITS, mode }, delayMs });
    expect(run.rateLimited).toBe(0);
    expect(run.answered / run.capacity).toBeGreaterThan(0.99);
  });
});
