import { describe, expect, it } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { botToken } from '#test/support/pool-kinds.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { codeOf, lookUp, NOBODY, startNodes } from '#test/support/shared-nodes.ts';

/** One node, and a switch that cuts it off from its store. */
const startNode = async () => {
  const { one, ...rest } = await startNodes(1);
  const { session } = one.store;
  let attempts = 0;
  const link = {
    cut: (): void => {
      Object.assign(one.store, {
        session: () => {
          attempts += 1;
          throw new AppError('store-unavailable');
        },
      });
    },
    restore: (): void => void Object.assign(one.store, { session }),
    attempts: () => attempts,
  };
  return { ...rest, one, link };
};

describe.skipIf(REDIS_MISSING !== null)('while the store is out of reach', () => {
  it('a ban is not forgotten', async () => {
    const { one, say, used, link, pass } = await startNode();
    for (const botId of ['a', 'b', 'c']) one.pool.add(botToken(botId));
    await pass(100);
    say.ofUser = async () => {
      link.cut();
      return { kind: 'blocked', retryAfterMs: 3_600_000 };
    };
    await lookUp(one);
    await pass(100);
    link.restore();
    say.ofUser = async () => NOBODY;
    expect(await codeOf(lookUp(one))).toBe('platform-paused');
    expect(await one.platform.requestPermit('getInvite')).toBeNull();
    expect(used).toHaveLength(1);
  });

  it('a removal fails, and is done before a later one succeeds', async () => {
    const { one, link, pass } = await startNode();
    for (const botId of ['a', 'b']) one.pool.add(botToken(botId));
    await pass(100);
    link.cut();
    expect(await codeOf(one.pool.remove('a'))).toBe('store-unavailable');
    link.restore();
    expect(await codeOf(one.pool.remove('a'))).toBe('none');
    await pass(1_100);
    expect(one.pool.counts()).toMatchObject({ healthy: 1 });
  });

  it('suspects are not asked for again and again', async () => {
    const { one, say, link, pass } = await startNode();
    one.pool.add(botToken('a'));
    say.ofUser = async () => ({ kind: 'unauthorized' });
    say.ofItself = async () => ({ kind: 'failed', reason: 'network' });
    await pass(100);
    await lookUp(one);
    await pass(1_500);
    link.cut();
    await pass(10_000);
    expect(link.attempts()).toBeLessThan(300);
  });
});

it.skipIf(REDIS_MISSING !== null)(
  'a token that was removed lately is added again, though the records fail once',
  async () => {
    const { one, records, pass } = await startNodes(1);
    one.pool.add(botToken('a'));
    await pass(100);
    await one.pool.remove('a');
    one.pool.add(botToken('a'));
    await pass(50_000);
    records.read = async () => {
      throw new Error('The records are out of reach.');
    };
    await pass(12_000);
    records.read = async () => {};
    await pass(2_000);
    expect(await lookUp(one)).toEqual(NOBODY);
  },
);
