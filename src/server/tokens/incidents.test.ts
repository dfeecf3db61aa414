// @module-tag slow
import { setImmediate as macrotask } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import { sleep } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { TestPoolOptions } from '#test/support/fake-platform.ts';
import { botToken, usePoolKinds, type PoolKind } from '#test/support/pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

/** What the platform says to good tokens while something is wrong with it. */
const FAULTS = {
  none: null,
  refused: { kind: 'unauthorized' },
  'a page that wants a login': { kind: 'failed', reason: 'status', status: 401 },
  'somebody else': { kind: 'foreign' },
  'an error': { kind: 'failed', reason: 'status', status: 502 },
} as const satisfies Record<string, Answer | null>;

type Phase = {
  readonly fault: keyof typeof FAULTS;
  readonly minutes: number;
  /** The share of tokens that it happens to, 0..1. */
  readonly share: number;
  readonly route: 'all' | 'lookups' | 'bots';
};

type Incident = {
  readonly tokens: number;
  /** Of these, how many are really revoked. */
  readonly revoked?: number;
  readonly phases: readonly Phase[];
  readonly secondsBetweenLookups: number;
};

const TEN_MINUTES_MS = 600_000;
const ANSWER_MS = 90;

const mostInTenMinutes = (timesMs: readonly number[]): number =>
  Math.max(
    0,
    ...timesMs.map(
      (fromMs) => timesMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + TEN_MINUTES_MS).length,
    ),
  );

const [inMemory] = usePoolKinds() as [PoolKind];

/** Whatever the phases say, then ten minutes in which the platform is well; visitors ask all the time. */
const simulateIncident = async (incident: Incident) => {
  const { tokens, revoked = 0, phases, secondsBetweenLookups } = incident;
  const invalidMs: number[] = [];
  const retired: string[] = [];
  const retiredMs: number[] = [];
  let phase: Phase | undefined;

  const faultOf = (route: Phase['route'], botId: string): Answer | null => {
    if (Number(botId) < revoked) return FAULTS.refused;
    if (phase === undefined || (phase.route !== 'all' && phase.route !== route)) return null;
    // A token is among them by its number, whatever the number of tokens.
    return (Number(botId) * 0.618_034) % 1 >= phase.share ? null : FAULTS[phase.fault];
  };
  const answer = async (route: Phase['route'], botId: string, good: Answer): Promise<Answer> => {
    await sleep(system.clock, ANSWER_MS);
    const said = faultOf(route, botId) ?? good;
    if (said.kind === 'unauthorized' || ('status' in said && said.status === 401))
      invalidMs.push(system.clock.monotonicMs());
    return said;
  };
  const client: TestPoolOptions['client'] = {
    getUser: (_id: Snowflake, { botId }: BotToken) =>
      answer('lookups', botId, { kind: 'not-found', reading: null }),
    getOwnUser: ({ botId }: BotToken) =>
      answer('bots', botId, { kind: 'found', value: { id: botId } as DiscordUser, reading: null }),
  };
  const { system, pool, pass } = await inMemory.start(client, {
    invalidRequestLimit: 500,
    perSecond: 50,
    onRetired: ({ botId }) => {
      retired.push(botId);
      retiredMs.push(system.clock.monotonicMs());
    },
  });
  for (let n = 0; n < tokens; n += 1) pool.add(botToken(`${n}`));

  const world = { isOver: false };
  const lookUp = async (): Promise<void> => {
    const lease = await pool.lease().catch(() => null);
    await lease?.getUser('1' as Snowflake, 6_000);
  };
  const visit = async (): Promise<void> => {
    while (!world.isOver) {
      void lookUp();
      await sleep(system.clock, secondsBetweenLookups * 1_000);
    }
  };
  void visit();
  for (phase of phases) await pass(phase.minutes * 60_000);
  phase = undefined;
  await pass(TEN_MINUTES_MS);
  world.isOver = true;
  await macrotask();
  const inUse = new Set(
    (await pool.list()).filter(({ state }) => state !== 'suspect').map(({ botId }) => botId),
  );
  const missing = Array.from({ length: tokens - revoked }, (_, n) => `${n + revoked}`).filter(
    (botId) => !inUse.has(botId),
  );
  return {
    missing,
    retired,
    retiredMs,
    mostInvalid: mostInTenMinutes(invalidMs),
    invalid: invalidMs.length,
  };
};

const incidents: fc.Arbitrary<Incident> = fc.record({
  tokens: fc.constantFrom(1, 2, 3, 8, 19, 21, 40),
  phases: fc.array(
    fc.record({
      fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
      minutes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 90 })),
      share: fc.constantFrom(0.1, 0.5, 1, 1),
      route: fc.constantFrom('all', 'lookups', 'bots'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  secondsBetweenLookups: fc.constantFrom(5, 20, 120),
});

it('ten minutes after an incident every token that works is in use again, none is gone, and few requests were invalid', () =>
  fc.assert(
    fc.asyncProperty(incidents, async (incident) => {
      const { missing, retired, mostInvalid } = await simulateIncident(incident);
      expect({ missing, retired }).toEqual({ missing: [], retired: [] });
      expect(mostInvalid).toBeLessThanOrEqual(500);
    }),
    { numRuns: 15, seed: 37 },
  ));

it('a token that is really revoked is retired after three days, not before, and at little cost', async () => {
  const quiet: Phase = { fault: 'none', minutes: 80 * 60, share: 1, route: 'all' };
  const incident = { tokens: 3, revoked: 1, phases: [quiet], secondsBetweenLookups: 60 };
  const { missing, retired, retiredMs, invalid } = await simulateIncident(incident);
  expect({ missing, retired }).toEqual({ missing: [], retired: ['0'] });
  expect((retiredMs[0] ?? 0) / 3_600_000).toBeGreaterThan(71);
  expect(invalid).toBeLessThan(350);
});

it('after twenty refusals within a minute no other token is tried', async () => {
  const client: TestPoolOptions['client'] = {
    getUser: async () => FAULTS.refused,
    getOwnUser: () => new Promise(() => {}),
  };
  const { pool } = await inMemory.start(client);
  for (let n = 0; n < 30; n += 1) pool.add(botToken(`${n}`));
  for (let n = 0; n < 20; n += 1) await (await pool.lease()).getUser('1' as Snowflake, Infinity);
  await macrotask();
  expect(pool.counts()).toMatchObject({ healthy: 0, suspect: 30 });
});
