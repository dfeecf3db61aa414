import { expect, it } from 'vitest';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { botToken } from '#test/support/pool-kinds.ts';

/** The second of two lookups comes so long after the first; time goes on while we compute. */
const lookUpAgainAfter = async (gapMs: number): Promise<boolean> => {
  const system = createFakeSystem();
  let creepMs = 0;
  const monotonicMs = (): number => {
    system.stall(creepMs);
    return system.clock.monotonicMs();
  };
  const clock = { ...system.clock, monotonicMs };
  const { pool } = createTestPool({
    system: { ...system, clock },
    client: { getUser: async () => ({ kind: 'not-found', reading: null }) },
    perSecond: 50,
  });
  for (const botId of ['a', 'b', 'c']) pool.add(botToken(botId));
  const lookUp = async () => (await pool.lease()).getUser('1' as Snowflake, 1_000);
  await lookUp();
  await system.advance(gapMs);
  creepMs = 0.1;
  let isServed = false;
  void lookUp().then(() => (isServed = true));
  await system.advance(100);
  return isServed;
};

it('the next in turn is served although the pace lets it pass between two looks at the clock', async () => {
  for (let gapMs = 9; gapMs < 11; gapMs += 0.1)
    expect([gapMs, await lookUpAgainAfter(gapMs)]).toEqual([gapMs, true]);
});
