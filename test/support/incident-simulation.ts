import { setImmediate as macrotask } from 'node:timers/promises';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import { sleep } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createTestPool, type TestPoolOptions } from './fake-platform.ts';
import { createFakeSystem } from './fake-system.ts';
import { botToken, type PoolKind } from './pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

/** What the platform says to good tokens while something is wrong with it. */
export const FAULTS = {
  none: null,
  refused: { kind: 'unauthorized' },
  'a page that wants a login': { kind: 'failed', reason: 'status', status: 401 },
  'somebody else': { kind: 'foreign' },
  'an error': { kind: 'failed', reason: 'status', status: 502 },
  forbidden: { kind: 'forbidden' },
} as const satisfies Record<string, Answer | null>;

export type Phase = {
  readonly fault: keyof typeof FAULTS;
  readonly minutes: number;
  /** The share of tokens that it happens to, 0..1. */
  readonly share: number;
  readonly route: 'all' | 'lookups' | 'bots';
  /** It comes and goes within seconds. */
  readonly isFlapping: boolean;
};

export type Incident = {
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

const startInMemory: PoolKind['start'] = async (client, options) => {
  const system = createFakeSystem({ wallMs: 1_800_000_000_000 });
  const { pool } = createTestPool({ system, client, ...options });
  return { system, pool, pass: system.advance };
};

/** Whatever the phases say, then ten minutes in which the platform is well; visitors ask all the time. */
export const simulateIncident = async (incident: Incident, start: PoolKind['start'] = startInMemory) => {
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
  const { system, pool, pass } = await start(client, { invalidRequestLimit: 500, perSecond: 50 });
  pool.onRetired(({ botId }) => void retired.push(botId));
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
