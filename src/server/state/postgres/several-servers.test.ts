// @module-tag slow
import { describe, expect, it } from 'vitest';
import { createSecret } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import {
  createFakeTimeSession,
  passWithPools,
  useFakeTimePostgres,
  type FakeTimePool,
} from '#test/support/fake-time-state.ts';
import { capacityOf, createLimitedClient } from '#test/support/limited-client.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { openPostgresTokenStore } from './postgres-token-store.ts';

type Simulation = {
  readonly servers: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly mode: 'sliding' | 'fixed';
  readonly perSecond?: number;
};

const LIMITS = { limit: 30, periodMs: 10_000, globalPerSecond: 50 };
const newDatabase = useFakeTimePostgres();

/** Endless demand on every server, against the sandbox's own limits, in simulated time. */
const simulate = async ({ servers: count, tokens, seconds, mode, perSecond = 1e9 }: Simulation) => {
  const system = createFakeSystem({ seed: 7 });
  const limits = { ...LIMITS, mode };
  const { getUser, tally, arrivalsMs } = createLimitedClient({
    system,
    limits,
    delayMs: (draw) => 10 + 20 * draw,
  });
  const url = await newDatabase();
  const servers: { pool: TokenPool; messages: FakeTimePool }[] = [];
  for (let n = 0; n < count; n += 1) {
    const { session, pool: messages } = createFakeTimeSession(url, system);
    const { pool } = createTestPool({
      system,
      client: { getUser },
      openStore: openPostgresTokenStore({ system, session, perSecond }),
      maxWaiting: Infinity,
      maxWaitMs: Infinity,
    });
    for (let id = 0; id < tokens; id += 1) pool.add({ botId: `${id}`, secret: createSecret(`${id}`) });
    await session.start();
    servers.push({ pool, messages });
  }
  const demand = async (pool: TokenPool): Promise<void> => {
    for (;;) await (await pool.lease()).getUser('1' as Snowflake, Infinity);
  };
  for (const { pool } of servers) for (let n = 0; n < 2 * tokens + 5; n += 1) demand(pool).catch(() => {});
  const messages = servers.map((server) => server.messages);
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
    { servers: 1, tokens: 3, seconds: 60, mode: 'sliding' },
    { servers: 3, tokens: 3, seconds: 60, mode: 'sliding' },
    { servers: 2, tokens: 3, seconds: 60, mode: 'fixed' },
  ] as const)(
    '$servers with $tokens $mode tokens use what they may, and are never refused',
    async (options) => {
      const { rateLimited, share } = await simulate(options);
      expect(rateLimited).toBe(0);
      expect(share).toBeGreaterThan(0.93);
    },
  );

  it('keep to the pace together', async () => {
    const perSecond = 20;
    const { arrivalsMs, rateLimited } = await simulate({
      servers: 3,
      tokens: 20,
      seconds: 20,
      mode: 'sliding',
      perSecond,
    });
    expect(rateLimited).toBe(0);
    expect(busiestSecond(arrivalsMs)).toBeLessThanOrEqual(perSecond);
    expect(arrivalsMs.length / 20).toBeGreaterThan(0.9 * perSecond);
  });
});
