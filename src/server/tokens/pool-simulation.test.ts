import { describe, expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { sleep } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFetchUser } from '#server/lookup/fetch-user.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import { createTestPool } from '#test/support/fake-platform.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { capacityOf, createLimitedClient, type LimitedClientOptions } from '#test/support/limited-client.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { ticketsOf } from './fair-order.ts';

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

type Answer = PlatformAnswer<DiscordUser>;

const OWN = 3;
const OWN_LIMITS = { mode: 'sliding', limit: 30, periodMs: 15_000, globalPerSecond: 50 } as const;

/** The operator's tokens, which could serve everybody, beside lent ones whose donors answer in the platform's place. */
const simulateDonors = async (options: {
  readonly lent: number;
  readonly perSecond: number;
  readonly lentAnswer: (bot: number, nowMs: number) => Answer;
}) => {
  const system = createFakeSystem({ seed: 7 });
  const { clock } = system;
  const own = createLimitedClient({ system, limits: OWN_LIMITS, delayMs: () => 20 });
  const invalidMs: number[] = [];
  const answerAs = (botId: string): Answer => {
    const answer = options.lentAnswer(Number(botId), clock.monotonicMs());
    if (answer.kind === 'rate-limited' || answer.kind === 'unauthorized') invalidMs.push(clock.monotonicMs());
    return answer;
  };
  const { pool, platform } = createTestPool({
    system,
    perSecond: 50,
    invalidRequestLimit: 500,
    client: {
      getUser: async (id, token, deadlineMs) =>
        Number(token.botId) < 0 ? own.getUser(id, token, deadlineMs) : answerAs(token.botId),
      getOwnUser: async ({ botId }) => {
        const answer = answerAs(botId);
        return answer.kind === 'unauthorized'
          ? answer
          : { kind: 'found', value: { id: botId } as DiscordUser, reading: null };
      },
    },
  });
  for (let n = 0; n < options.lent; n += 1) pool.add(botToken(`${n}`));
  for (let n = 1; n <= OWN; n += 1) pool.add(botToken(`${-n}`), true);

  const fetchUser = createFetchUser(system, pool, () => {});
  const seen = { asked: 0, refused: 0, pauses: 0, ownOnHold: 0 };
  const lookUp = async (): Promise<void> => {
    seen.asked += 1;
    const tickets = ticketsOf({ network: 0, block: 0, work: 1 });
    await fetchUser('1' as Snowflake, tickets, new AbortController().signal).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      seen.refused += 1;
    });
  };
  const visit = async (): Promise<void> => {
    for (; ; await sleep(clock, 1_000 / options.perSecond)) {
      void lookUp();
      if (platform.pause() !== null) seen.pauses += 1;
      const tokens = await pool.list();
      if (tokens.some(({ botId, state }) => Number(botId) < 0 && state === 'suspect')) seen.ownOnHold += 1;
    }
  };
  void visit();
  const pass = async (seconds: number) => {
    await system.advance(seconds * 1_000);
    const { asked, refused } = seen;
    Object.assign(seen, { asked: 0, refused: 0 });
    return refused / asked;
  };
  return { pass, seen, invalidMs, list: pool.list };
};

const BUSY: Answer = { kind: 'rate-limited', scope: 'user', retryAfterMs: 1_000, reading: null };

it.each([10, 200])(
  '%i lent tokens that their donors keep busy cost neither a pause nor own tokens',
  async (lent) => {
    const { pass, seen, invalidMs, list } = await simulateDonors({
      lent,
      perSecond: 5,
      lentAnswer: () => BUSY,
    });
    await pass(120);
    expect(await pass(480)).toBeLessThanOrEqual(0.02);
    expect(seen).toMatchObject({ pauses: 0, ownOnHold: 0 });
    expect(invalidMs.length).toBeLessThanOrEqual(250);
    const used = (await list()).filter(({ invalid }) => invalid > 0);
    expect(used.every(({ state, invalid }) => state === 'cooling' && invalid < 10)).toBe(true);
    expect(used.length).toBeGreaterThanOrEqual(10);
  },
);

it('a hundred lent tokens that are reset in rounds put none of the operator’s on hold', async () => {
  const gone: Answer = { kind: 'unauthorized' };
  const here: Answer = { kind: 'not-found', reading: null };
  const { pass, seen } = await simulateDonors({
    lent: 100,
    perSecond: 4,
    lentAnswer: (bot, nowMs) => (nowMs > Math.floor(bot / 25) * 25_000 ? gone : here),
  });
  expect(await pass(100)).toBeLessThanOrEqual(0.05);
  expect(seen).toMatchObject({ pauses: 0, ownOnHold: 0 });
});
