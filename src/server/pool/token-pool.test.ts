import { describe, expect, it } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { TokenPool } from './token-pool.ts';
import { botToken, usePoolKinds, type PoolBench } from '#test/support/pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

const NOBODY: Answer = { kind: 'not-found', reading: null };

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
});
