// @module-tag slow
import { setImmediate as macrotask } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  forbidden: { kind: 'forbidden' },
} as const satisfies Record<string, Answer | null>;

type Phase = {
  readonly fault: keyof typeof FAULTS;
  readonly minutes: number;
  /** The share of tokens that it happens to, 0..1. */
  readonly share: number;
  readonly route: 'all' | 'lookups' | 'bots';
  /** It comes and goes within seconds. */
  readonly isFlapping: boolean;
};

type Incident = {
  readonly tokens: number;
  /** Of these, how many are really revoked. */
  readonly revoked: number;
  readonly phases: readonly Phase[];
  readonly secondsBetweenLookups: number;
};

const TEN_MINUTES_MS = 600_000;
const FLAP_MS = 7_000;
const ANSWER_MS = 90;

/** The largest number of times within any ten minutes. */
const mostInTenMinutes = (timesMs: readonly number[]): number => {
  let most = 0;
  let from = 0;
  timesMs.forEach((timeMs, index) => {
    while (timeMs - (timesMs[from] ?? 0) >= TEN_MINUTES_MS) from += 1;
    most = Math.max(most, index - from + 1);
  });
  return most;
};

const [inMemory, inPostgres] = usePoolKinds() as [PoolKind, PoolKind];

/** Whatever the phases say, then ten minutes in which the platform is well; visitors ask all the time. */
const simulateIncident = async (incident: Incident, { start }: PoolKind = inMemory) => {
  const { tokens, revoked, phases, secondsBetweenLookups } = incident;
  const invalidMs: number[] = [];
  const retired: string[] = [];
  let phase: Phase | undefined;

  const faultOf = (route: Phase['route'], botId: string): Answer | null => {
    if (Number(botId) < revoked) return FAULTS.refused;
    if (phase === undefined || (phase.route !== 'all' && phase.route !== route)) return null;
    const isOff = phase.isFlapping && Math.floor(system.clock.monotonicMs() / FLAP_MS) % 2 === 1;
    // A token is among them by its number, whatever the number of tokens.
    return isOff || (Number(botId) * 0.618_034) % 1 >= phase.share ? null : FAULTS[phase.fault];
  };
  const answer = async (route: Phase['route'], botId: string, good: Answer): Promise<Answer> => {
    await sleep(system.clock, ANSWER_MS);
    const said = faultOf(route, botId) ?? good;
    const isInvalid = ['unauthorized', 'forbidden'].includes(said.kind) || 'status' in said;
    if (isInvalid && (!('status' in said) || said.status === 401)) invalidMs.push(system.clock.monotonicMs());
    return said;
  };
  const client: TestPoolOptions['client'] = {
    getUser: (_id: Snowflake, { botId }: BotToken) =>
      answer('lookups', botId, { kind: 'not-found', reading: null }),
    getOwnUser: ({ botId }: BotToken) =>
      answer('bots', botId, { kind: 'found', value: { id: botId } as DiscordUser, reading: null }),
  };
  const { system, pool, pass } = await start(client, {
    invalidRequestLimit: 500,
    perSecond: 50,
    onRetired: ({ botId }) => void retired.push(botId),
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
  return { missing, retired, mostInvalid: mostInTenMinutes(invalidMs), invalid: invalidMs.length };
};

const DAY_MINUTES = 24 * 60;
const WHOLE: Omit<Phase, 'fault' | 'minutes'> = { share: 1, route: 'all', isFlapping: false };
const DAY_OF_REFUSALS: Phase = { ...WHOLE, fault: 'refused', minutes: DAY_MINUTES };

const phases: fc.Arbitrary<readonly Phase[]> = fc
  .array(
    fc.record({
      fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
      minutes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 600 })),
      share: fc.constantFrom(0.1, 0.5, 1, 1),
      route: fc.constantFrom('all', 'lookups', 'bots'),
      isFlapping: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((drawn) => {
    let left = DAY_MINUTES;
    return drawn.map((phase) => {
      const minutes = Math.min(phase.minutes, left);
      left -= minutes;
      return Object.assign(phase, { minutes });
    });
  });

const incidents: fc.Arbitrary<Incident> = fc
  .record({
    tokens: fc.constantFrom(1, 2, 3, 8, 19, 21, 60, 200, 1_000),
    revokedShare: fc.constantFrom(0, 0, 0.05),
    phases,
    secondsBetweenLookups: fc.constantFrom(2, 20, 120),
  })
  .map(({ tokens, revokedShare, phases, secondsBetweenLookups }) => {
    const revoked = Math.floor(tokens * revokedShare);
    return { tokens, revoked, phases, secondsBetweenLookups };
  });

const expectHarmless = async (incident: Incident) => {
  const { missing, retired, mostInvalid } = await simulateIncident(incident);
  expect({ missing, retired }).toEqual({ missing: [], retired: [] });
  expect(mostInvalid).toBeLessThanOrEqual(500);
};

describe('ten minutes after an incident of up to a day', () => {
  it.each([1, 11, 200])('all of %i tokens refused for a day are in use again', async (tokens) => {
    await expectHarmless({ tokens, revoked: 0, phases: [DAY_OF_REFUSALS], secondsBetweenLookups: 20 });
  });

  it('twelve seconds of refusals cost a small site nothing', async () => {
    const phase = { ...DAY_OF_REFUSALS, minutes: 0.2 };
    await expectHarmless({ tokens: 11, revoked: 0, phases: [phase], secondsBetweenLookups: 0.5 });
  });

  it.skipIf(inPostgres.missing !== null)('nor do they cost several servers anything', async () => {
    const phase = { ...DAY_OF_REFUSALS, minutes: 0.2 };
    const incident = { tokens: 11, revoked: 0, phases: [phase], secondsBetweenLookups: 0.5 };
    expect(await simulateIncident(incident, inPostgres)).toMatchObject({ missing: [], retired: [] });
  });

  it('every token that works is in use again, none is gone, and few requests were invalid', async () => {
    await fc.assert(fc.asyncProperty(incidents, expectHarmless), { numRuns: 12, seed: 37 });
  });
});

it('a token that is really revoked is retired after three days, not before, and at little cost', async () => {
  const after = (hours: number) => {
    const quiet: Phase = { ...WHOLE, fault: 'none', minutes: hours * 60 };
    return simulateIncident({ tokens: 3, revoked: 1, phases: [quiet], secondsBetweenLookups: 30 });
  };
  expect(await after(71)).toMatchObject({ missing: [], retired: [] });
  const late = await after(80);
  expect(late).toMatchObject({ missing: [], retired: ['0'] });
  expect(late.invalid).toBeLessThan(350);
});
