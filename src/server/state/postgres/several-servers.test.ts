// @module-tag slow
import { describe, expect, it } from 'vitest';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createFakeTimeSession, passWithPools, useFakeTimePostgres } from '#test/support/fake-time-state.ts';
import { capacityOf, createLimitedClient } from '#test/support/limited-client.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { openPostgresTokenStore } from './postgres-token-store.ts';

type Simulation = { servers: number; tokens: number; seconds: number; mode: 'sliding' | 'fixed' };

const LIMITS = { limit: 30, periodMs: 10_000, globalPerSecond: 50 };
const newDatabase = useFakeTimePostgres();

/** Endless demand on every server, against the sandbox's own limits, in simulated time. */
const simulate = async (simulation: Simulation, perSecond = 1e9) => {
  const { servers: count, tokens, seconds, mode } = simulation;
  const system = createFakeSystem({ seed: 7 });
  const limits = { ...LIMITS, mode };
  const client = createLimitedClient({ system, limits, delayMs: (draw) => 10 + 20 * draw });
  const { tally, arrivalsMs } = client;
  const url = await newDatabase();
  const sessions = Array.from({ length: count }, () => createFakeTimeSession(url, system));
  for (const { session } of sessions) {
    const openStore = openPostgresTokenStore({ system, session, perSecond });
    const { pool } = createTestPool({ system, client, openStore, maxWaiting: Infinity, maxWaitMs: Infinity });
    for (let id = 0; id < tokens; id += 1) pool.add(botToken(`${id}`));
    await session.start();
    const demand = async (): Promise<void> => {
      for (;;) await (await pool.lease()).getUser('1' as Snowflake, Infinity);
    };
    for (let n = 0; n < 2 * tokens + 5; n += 1) demand().catch(() => {});
  }
  const messages = sessions.map(({ pool }) => pool);
  await passWithPools(system, messages, { ms: seconds * 1_000 });
  return { ...tally, share: tally.answered / (capacityOf(limits, seconds) * tokens), arrivalsMs };
};

/** The most that arrived in any second, half-open. */
const busiestSecond = (arrivalsMs: readonly number[]): number => {
  const sorted = arrivalsMs.toSorted((a, b) => a - b);
  let first = 0;
  return sorted.reduce((most, arrivedMs, n) => {
    while ((sorted[first] ?? 0) <= arrivedMs - 1_000) first += 1;
    return Math.max(most, n - first + 1);
  }, 0);
};

describe.skipIf(POSTGRES_MISSING !== null)('several servers under endless demand', () => {
  it.each([
    { servers: 3, tokens: 3, seconds: 30, mode: 'sliding' },
    { servers: 2, tokens: 3, seconds: 30, mode: 'fixed' },
  ] as const)('$servers with $tokens $mode tokens use what they may, never refused', async (options) => {
    const { rateLimited, share } = await simulate(options);
    expect(rateLimited).toBe(0);
    expect(share).toBeGreaterThan(0.93);
  });

  it('keep to the pace together', async () => {
    const perSecond = 20;
    const simulation = { servers: 3, tokens: 20, seconds: 20, mode: 'sliding' } as const;
    const { arrivalsMs, rateLimited } = await simulate(simulation, perSecond);
    expect(rateLimited).toBe(0);
    expect(busiestSecond(arrivalsMs)).toBeLessThanOrEqual(perSecond);
    expect(arrivalsMs.length / 20).toBeGreaterThan(0.9 * perSecond);
  });
});
