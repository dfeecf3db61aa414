import { describe, expect, it } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { TokenPool } from './token-pool.ts';
import { botToken, usePoolKinds, type PoolBench } from '#test/support/pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

const NOBODY: Answer = { kind: 'not-found', reading: null };
const REFUSED: Answer = { kind: 'unauthorized' };
const TOLD_TO_WAIT: Answer = { kind: 'rate-limited', scope: 'user', retryAfterMs: 30_000, reading: null };

/** The platform knows nobody; these were asked with, the oldest first. */
const createClient = () => {
  const used: string[] = [];
  const getUser = async (_id: Snowflake, { secret }: BotToken) => {
    used.push(secret.reveal());
    return NOBODY;
  };
  return { used, client: { getUser } };
};

const lookUp = async ({ pool }: PoolBench) => (await pool.lease()).getUser('1' as Snowflake, 1_000);
const lookUpAfter = async (bench: PoolBench, ms: number) => {
  await bench.pass(ms);
  return lookUp(bench);
};

describe.each(usePoolKinds())('$kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  test('a pool says that it is empty, and is not once there is a token', async () => {
    const { client, used } = createClient();
    const bench = await start(client);
    await expect(lookUp(bench)).rejects.toMatchObject({ code: 'pool-empty', retryAfterMs: 60_000 });
    bench.pool.add(botToken('a'));
    expect(await lookUp(bench)).toEqual(NOBODY);
    expect(used).toEqual(['secret of a']);
    await bench.pass(2_100);
    const none = { cooling: 0, suspect: 0, waiting: 0, inFlight: 0 };
    expect(bench.pool.counts()).toMatchObject({ healthy: 1, ...none });
    expect(await bench.pool.list()).toMatchObject([{ botId: 'a', requests: 1 }]);
  });

  test('a token that was taken out or replaced is not used', async () => {
    const { client, used } = createClient();
    const bench = await start(client);
    for (const botId of ['a', 'b', 'c']) bench.pool.add(botToken(botId));
    bench.pool.add(botToken('b', 'reset'));
    const remove = (...of: Parameters<TokenPool['remove']>) =>
      Promise.all([bench.pool.remove(...of), bench.pass(200)]);
    await remove('a');
    await remove('c', botToken('c', 'another'));
    for (let n = 0; n < 10; n += 1) await lookUpAfter(bench, 1_000);
    expect(new Set(used)).toEqual(new Set(['reset', 'secret of c']));
    await remove('c', botToken('c'));
    await remove('b');
    await expect(lookUpAfter(bench, 1_000)).rejects.toMatchObject({ code: 'pool-empty' });
  });

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

  test.each([
    ['can only be checked later', async (): Promise<Answer> => ({ kind: 'foreign' }), 40_000],
    ['is being checked', () => new Promise<Answer>(() => {}), 1_500],
  ])('a lookup waits for an answer although a suspect %s', async (_, ofItself, suspectedMs) => {
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

  test('a lookup is refused at once if only rests and a ban of checks are ahead', async () => {
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
