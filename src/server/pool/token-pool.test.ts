import { describe, expect, it, vi } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DiscordUser } from '#server/platform/wire/discord-objects.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { TokenPool } from './token-pool.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { botToken, usePoolKinds, type PoolBench } from '#test/support/pool-kinds.ts';

type Answer = PlatformAnswer<DiscordUser>;

const ID = '1' as Snowflake;
const NOBODY: Answer = { kind: 'not-found', reading: null };
const REFUSED: Answer = { kind: 'unauthorized' };

const found = ({ botId }: BotToken): Answer => ({
  kind: 'found',
  value: { id: botId as Snowflake, bot: true } as DiscordUser,
  reading: null,
});

/** What the platform says, until a test says something else. */
const createSay = () => {
  const used: string[] = [];
  const say = { ofUser: (_token: BotToken): Answer => NOBODY, ofItself: found };
  const client = {
    getUser: async (_id: Snowflake, token: BotToken) => {
      used.push(token.botId);
      return say.ofUser(token);
    },
    getOwnUser: async (token: BotToken) => say.ofItself(token),
  };
  return { say, used, client };
};

const lookUp = async ({ pool }: PoolBench): Promise<Answer> => (await pool.lease()).getUser(ID, 1_000);
const lookUpAfter = async (bench: PoolBench, ms: number): Promise<Answer> => {
  await bench.pass(ms);
  return lookUp(bench);
};

describe.each(usePoolKinds())('a pool $kind', ({ start, missing }) => {
  const test = it.skipIf(missing !== null);

  test('says that it is empty, and is not once there is a token', async () => {
    const { client, used } = createSay();
    const bench = await start(client);
    await expect(lookUp(bench)).rejects.toMatchObject({ code: 'pool-empty', retryAfterMs: 60_000 });
    bench.pool.add(botToken('a'));
    expect(await lookUp(bench)).toEqual(NOBODY);
    expect(used).toEqual(['a']);
    await bench.pass(2_100);
    expect(bench.pool.counts()).toMatchObject({
      healthy: 1,
      cooling: 0,
      suspect: 0,
      waiting: 0,
      inFlight: 0,
    });
    expect(await bench.pool.list()).toMatchObject([{ botId: 'a', requests: 1 }]);
  });

  test('uses its tokens in turn, and a new one before all others', async () => {
    const { client, used } = createSay();
    const bench = await start(client);
    for (const botId of ['a', 'b', 'c']) bench.pool.add(botToken(botId));
    for (let n = 0; n < 3; n += 1) await lookUp(bench);
    expect(used.toSorted()).toEqual(['a', 'b', 'c']);
    bench.pool.add(botToken('d'));
    await lookUp(bench);
    expect(used.at(-1)).toBe('d');
  });

  test('does not use a token that was taken out, or that was replaced', async () => {
    const { client, say } = createSay();
    const secrets: string[] = [];
    say.ofUser = ({ secret }) => {
      secrets.push(secret.reveal());
      return NOBODY;
    };
    const bench = await start(client);
    for (const botId of ['a', 'b', 'c']) bench.pool.add(botToken(botId));
    bench.pool.add(botToken('b', 'reset'));
    const remove = (...of: Parameters<TokenPool['remove']>) =>
      Promise.all([bench.pool.remove(...of), bench.pass(200)]);
    await remove('a');
    await remove('c', botToken('c', 'another'));
    for (let n = 0; n < 10; n += 1) await lookUpAfter(bench, 1_000);
    expect(new Set(secrets)).toEqual(new Set(['reset', 'secret of c']));
    await remove('c', botToken('c'));
    await remove('b');
    await expect(lookUpAfter(bench, 1_000)).rejects.toMatchObject({ code: 'pool-empty' });
  });

  test('lets a token rest that is told to wait, and says for how long', async () => {
    const { client, say } = createSay();
    say.ofUser = () => ({ kind: 'rate-limited', scope: 'user', retryAfterMs: 30_000, reading: null });
    const bench = await start(client);
    bench.pool.add(botToken('a'));
    await lookUp(bench);
    await bench.pass(1_000);
    expect(bench.pool.counts()).toMatchObject({ healthy: 0, cooling: 1 });
    const refused = await lookUp(bench).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'pool-busy' });
    expect((refused as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(28_000);
    expect((refused as { retryAfterMs: number }).retryAfterMs).toBeLessThan(30_000);
    say.ofUser = () => NOBODY;
    expect(await lookUpAfter(bench, 30_000)).toEqual(NOBODY);
  });

  test('serves those who wait as soon as it can, first come first served', async () => {
    const { client } = createSay();
    const bench = await start(client);
    bench.pool.add(botToken('a'));
    const served: number[] = [];
    const lookups = [1, 2, 3].map(async (n) => {
      await lookUp(bench);
      served.push(n);
    });
    await bench.pass(5_000);
    await Promise.all(lookups);
    expect(served).toEqual([1, 2, 3]);
  });

  test('gives back a lease that is not used', async () => {
    const { client } = createSay();
    const bench = await start(client);
    bench.pool.add(botToken('a'));
    (await bench.pool.lease()).release();
    expect(bench.pool.counts().inFlight).toBe(0);
    expect(await lookUpAfter(bench, 1_100)).toEqual(NOBODY);
  });

  test('asks about a token that is refused, and uses it again if it is good', async () => {
    const { client, say } = createSay();
    const bench = await start(client);
    const retired: string[] = [];
    bench.pool.onRetired(({ botId }) => void retired.push(botId));
    bench.pool.add(botToken('a'));
    say.ofUser = () => REFUSED;
    await lookUp(bench);
    say.ofUser = () => NOBODY;
    expect(await lookUpAfter(bench, 2_000)).toEqual(NOBODY);
    expect(retired).toEqual([]);
  });

  test('keeps a token on hold that is refused when asked about itself, and takes it back once it is not', async () => {
    const { client, say, used } = createSay();
    const bench = await start(client);
    const retired: string[] = [];
    bench.pool.onRetired(({ botId }) => void retired.push(botId));
    for (const botId of ['a', 'b']) bench.pool.add(botToken(botId));
    say.ofUser = ({ botId }) => (botId === 'a' ? REFUSED : NOBODY);
    say.ofItself = () => REFUSED;
    await lookUp(bench);
    await lookUp(bench);
    await bench.pass(2_000);
    used.length = 0;
    for (let n = 0; n < 3; n += 1) await lookUpAfter(bench, 1_100);
    expect(used).toEqual(['b', 'b', 'b']);
    expect(bench.pool.counts().suspect).toBe(1);
    say.ofUser = () => NOBODY;
    say.ofItself = (token) => ({ kind: 'found', value: { id: token.botId } as DiscordUser, reading: null });
    await bench.pass(20_000);
    await vi.waitFor(() => expect(bench.pool.counts().suspect).toBe(0));
    expect(retired).toEqual([]);
  });

  test('holds all tokens back when twenty are refused, and asks about few', async () => {
    const { client, say, used } = createSay();
    let asked = 0;
    say.ofUser = () => REFUSED;
    say.ofItself = () => {
      asked += 1;
      return REFUSED;
    };
    const bench = await start(client);
    for (let n = 0; n < 60; n += 1) bench.pool.add(botToken(`${n}`));
    await bench.pass(1_000);
    // All at once, so that no verdict comes in between.
    const leases = await Promise.all(Array.from({ length: 20 }, () => bench.pool.lease()));
    await Promise.all(leases.map((lease) => lease.getUser(ID, 1_000)));
    await vi.waitFor(async () => {
      await bench.pass(250);
      expect(bench.pool.counts()).toMatchObject({ healthy: 0 });
    }, EVENTUALLY);
    const refused = expect(lookUp(bench)).rejects.toMatchObject({ code: 'pool-empty' });
    await bench.pass(60_000);
    await refused;
    expect(used).toHaveLength(20);
    expect(asked).toBeLessThan(30);
    bench.pool.add(botToken('fresh'));
    say.ofUser = () => NOBODY;
    expect(await lookUp(bench)).toEqual(NOBODY);
    expect(used.at(-1)).toBe('fresh');
  });

  test('sends nothing while the platform bans, then one to see, then all', async () => {
    const { client, say, used } = createSay();
    say.ofUser = () => ({ kind: 'blocked', retryAfterMs: 60_000 });
    const bench = await start(client);
    for (const botId of ['a', 'b', 'c']) bench.pool.add(botToken(botId));
    await lookUp(bench);
    await bench.pass(30_000);
    await expect(lookUp(bench)).rejects.toMatchObject({ code: 'platform-paused' });
    say.ofUser = () => NOBODY;
    expect(await lookUpAfter(bench, 40_000)).toEqual(NOBODY);
    expect(await lookUpAfter(bench, 1_000)).toEqual(NOBODY);
    expect(used).toHaveLength(3);
  });

  test('stops before the platform would, and goes on when it is forgotten', async () => {
    const { client, say } = createSay();
    say.ofUser = () => ({ kind: 'forbidden' });
    const bench = await start(client, { invalidRequestLimit: 3 });
    for (let n = 0; n < 5; n += 1) bench.pool.add(botToken(`${n}`));
    for (let n = 0; n < 3; n += 1) await lookUpAfter(bench, 100);
    await bench.pass(100);
    await expect(lookUp(bench)).rejects.toMatchObject({ code: 'platform-paused' });
    say.ofUser = () => NOBODY;
    expect(await lookUpAfter(bench, 620_000)).toEqual(NOBODY);
  });

  test('keeps to the pace', async () => {
    const { client, used } = createSay();
    const bench = await start(client, { perSecond: 10 });
    for (let n = 0; n < 50; n += 1) bench.pool.add(botToken(`${n}`));
    await bench.pass(1_000);
    const lookups = Promise.all(Array.from({ length: 30 }, () => lookUp(bench)));
    for (let second = 1; second <= 3; second += 1) {
      await bench.pass(1_000);
      expect(used.length).toBeLessThanOrEqual(10 * second + 1);
      expect(used.length).toBeGreaterThanOrEqual(9 * second);
    }
    await bench.pass(1_000);
    await lookups;
  });
});
