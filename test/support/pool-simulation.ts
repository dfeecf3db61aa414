import { createSecret } from '#server/platform/bot-token.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from './fake-platform.ts';
import { createFakeSystem } from './fake-system.ts';
import { capacityOf, createLimitedClient, type LimitedClientOptions } from './limited-client.ts';

export type PoolSimulationOptions = Omit<LimitedClientOptions, 'system'> & {
  readonly tokens: number;
  readonly seconds: number;
  readonly seed: number;
};

/**
 * The pool under endless demand, against the sandbox's own rate limits, in simulated time: only the network between
 * them is made up, with a delay of its own for every request and every answer, so that they overtake each other.
 */
export const simulatePool = async (options: PoolSimulationOptions) => {
  const { tokens, seconds, limits, seed, delayMs } = options;
  const system = createFakeSystem({ seed });
  const { advance } = system;
  const { getUser, tally } = createLimitedClient({ system, limits, delayMs });
  const { pool } = createTestPool({
    system,
    client: { getUser },
    maxWaiting: Infinity,
    maxWaitMs: Infinity,
  });
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
