import { describe, expect, it } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { botToken, usePoolKinds, type PoolBench } from '#test/support/pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

const NOBODY: Answer = { kind: 'not-found', reading: null };
const REFUSED: Answer = { kind: 'unauthorized' };
const TOLD_TO_WAIT: Answer = { kind: 'rate-limited', scope: 'user', retryAfterMs: 30_000, reading: null };

const lookUp = async ({ pool }: PoolBench): Promise<Answer> =>
  (await pool.lease()).getUser('1' as Snowflake, 6_000);

describe.each(usePoolKinds())('a pool $kind', ({ start, missing }) => {
  /** One token is a suspect, the other good. */
  const startWithSuspect = async (
    ofItself: () => Promise<Answer>,
    { ofGood, suspectedMs }: { ofGood: () => Promise<Answer>; suspectedMs: number },
  ): Promise<PoolBench> => {
    const bench = await start({
      getUser: async (_id: Snowflake, { botId }: BotToken) => (botId === 'bad' ? REFUSED : ofGood()),
      getOwnUser: ofItself,
    });
    bench.pool.add(botToken('bad'));
    await lookUp(bench);
    await bench.pass(suspectedMs);
    bench.pool.add(botToken('good'));
    await bench.pass(1_100);
    return bench;
  };

  it.skipIf(missing !== null).each([
    ['can only be checked later', async (): Promise<Answer> => ({ kind: 'foreign' }), 40_000],
    ['is being checked', () => new Promise<Answer>(() => {}), 1_500],
  ])('waits for an answer although a suspect %s', async (_, ofItself, suspectedMs) => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const bench = await startWithSuspect(ofItself, { ofGood: () => promise, suspectedMs });
    const first = lookUp(bench);
    await bench.pass(50);
    const second = lookUp(bench);
    await bench.pass(300);
    resolve(NOBODY);
    await first;
    await bench.pass(2_000);
    expect(await second).toEqual(NOBODY);
  });

  it.skipIf(missing !== null)('refuses at once if only rests and a ban of checks are ahead', async () => {
    const blocked: Answer = { kind: 'blocked', retryAfterMs: 600_000 };
    const terms = { ofGood: async () => TOLD_TO_WAIT, suspectedMs: 5_000 };
    const bench = await startWithSuspect(async () => blocked, terms);
    await lookUp(bench);
    await bench.pass(1_100);
    const refused = lookUp(bench).catch((error: unknown) => error);
    await bench.pass(500);
    expect(await Promise.race([refused, Promise.resolve('waits')])).toMatchObject({ code: 'pool-busy' });
    expect((await refused) as { retryAfterMs: number }).toHaveProperty(
      'retryAfterMs',
      expect.closeTo(28_900, -3),
    );
  });
});
