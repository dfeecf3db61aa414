import { describe, expect, it } from 'vitest';
import { createRecentCount } from '#server/observability/recent-count.ts';
import type { Session } from '#server/storage/redis/session.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { startTestStore } from '#test/support/shared-store.ts';
import { createSharedFigures } from './shared-figures.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 17, 8, 50);
const at = (hour: number): string => new Date(Date.UTC(2026, 10, 17, hour)).toISOString();

const setUp = async () => {
  const { clock } = createFakeSystem();
  const store = await startTestStore(await redisUrl());
  const time = { nowMs: START_MS };
  const startNode = async (healthy = 3) => {
    const recent = { served: createRecentCount(clock), refused: createRecentCount(clock) };
    const tokens = { healthy, cooling: 1 };
    const tasks: ((session: Session) => Promise<void>)[] = [];
    const read = createSharedFigures(
      clock,
      {
        key: store.key,
        storeNowMs: () => time.nowMs,
        onSession: (task) => void tasks.push((session) => task(session, { clockLeapt: false })),
        everySecond: (task) => void tasks.push(task),
      },
      { recent, tokens: () => tokens },
    );
    const [join, tick] = tasks as [(typeof tasks)[0], (typeof tasks)[0]];
    await join(store.session());
    return {
      recent,
      tokens,
      read,
      totals: () => Object.values(read().lookups_last_hour),
      tick: () => tick(store.session()),
    };
  };
  const one = await startNode();
  const other = await startNode();
  /** Both have told what they have counted, and show what they have agreed on. */
  const settle = async (): Promise<void> => {
    for (let second = 0; second < 4; second += 1) {
      for (const node of [one, other]) await node.tick();
      time.nowMs += 1_000;
    }
  };
  await settle();
  return { store, time, startNode, one, other, settle, [Symbol.dispose]: store.close };
};

describe.skipIf(REDIS_MISSING !== null)('the figures of all nodes', () => {
  it('are those of the last hour, to the minute, also when the hour of the clock ends', async () => {
    using test = await setUp();
    const { one, other, time, settle } = test;
    one.recent.served.add();
    one.recent.served.add();
    await settle();
    time.nowMs += 20 * MINUTE_MS;
    other.recent.refused.add();
    await settle();
    for (const node of [one, other]) expect(node.totals()).toEqual([2, 1]);
    time.nowMs += 40 * MINUTE_MS;
    await settle();
    expect(one.totals()).toEqual([0, 1]);
    time.nowMs += 60 * MINUTE_MS;
    await settle();
    expect(one.totals()).toEqual([0, 0]);
  });

  it('are the same at each of them at every moment, whenever each reads the store', async () => {
    using test = await setUp();
    const { one, other, time } = test;
    other.tokens.healthy = 7;
    for (let step = 0; step < 40; step += 1) {
      one.recent.served.add();
      other.recent.refused.add();
      if (step % 4 === 0) await one.tick();
      if (step % 4 === 3) await other.tick();
      expect(one.read()).toEqual(other.read());
      time.nowMs += 250;
    }
    const [served = 0, refused = 0] = one.totals();
    expect([served > 20, refused > 20]).toEqual([true, true]);
  });

  it('are known to a node that has just come, which does not disturb them', async () => {
    using test = await setUp();
    const { one, settle, startNode } = test;
    one.recent.served.add();
    await settle();
    const late = await startNode(0);
    await late.tick();
    expect(late.read()).toEqual(one.read());
    expect(late.read()).toMatchObject({
      tokens: { healthy: 3, cooling: 1 },
      lookups_last_hour: { served: 1 },
    });
  });

  it('stay as they were while the store is away, and say of when they are', async () => {
    using test = await setUp();
    const { one, other, time } = test;
    const before = one.read();
    one.recent.served.add();
    time.nowMs += HOUR_MS;
    for (const node of [one, other]) expect(node.read()).toEqual(before);
    expect(Date.parse(before.updated_at)).toBeLessThan(START_MS + 5_000);
  });

  it('show each hour of the last day, and no more than that is kept', async () => {
    using test = await setUp();
    const { one, other, time, settle, store } = test;
    one.recent.served.add();
    other.recent.refused.add();
    await settle();
    time.nowMs += 2 * HOUR_MS;
    one.tokens.healthy = 0;
    other.tokens.healthy = 0;
    await settle();
    expect(one.read().last_24_hours).toEqual([
      { from: at(8), served: 1, refused: 1, tokens_healthy: 3 },
      { from: at(10), served: 0, refused: 0, tokens_healthy: 0 },
    ]);
    for (let hour = 0; hour < 30; hour += 1) {
      time.nowMs += HOUR_MS;
      await settle();
    }
    expect(one.read().last_24_hours).toHaveLength(24);
    expect(one.read().last_24_hours.at(-1)?.from).toBe(at(40));
    expect(await store.send('HLEN', store.key('lookups:day'))).toBe(25);
    expect(await store.send('TTL', store.key('lookups:day'))).toBeGreaterThan(0);
  });

  it('count a lookup in the hour before that was told late', async () => {
    using test = await setUp();
    const { one, time, settle } = test;
    one.recent.served.add();
    await one.tick();
    time.nowMs = Date.UTC(2026, 10, 17, 9, 0, 1);
    await settle();
    expect(one.read().last_24_hours.map(({ served }) => served)).toEqual([1, 0]);
  });

  it('lose nothing to a clock of the store that was ahead or behind', async () => {
    using test = await setUp();
    const { one, time, settle } = test;
    one.recent.served.add();
    await settle();
    const leap = async (ms: number): Promise<void> => {
      time.nowMs += ms;
      one.recent.served.add();
      await settle();
      time.nowMs -= ms;
      await settle();
    };
    await leap(20 * HOUR_MS);
    await leap(-3 * HOUR_MS);
    expect(one.read().last_24_hours.at(-1)).toEqual({
      from: at(8),
      served: 1,
      refused: 0,
      tokens_healthy: 3,
    });
    expect(one.read().updated_at.slice(0, 13)).toBe(at(8).slice(0, 13));
  });

  it('need nothing of what else may be found under their names', async () => {
    using test = await setUp();
    const { store, one, settle, startNode } = test;
    const hour = Math.floor(test.time.nowMs / HOUR_MS);
    await store.send('SET', store.key(`lookups:${hour}`), 'x');
    await store.send('HSET', store.key(`lookups:${hour - 1}`), '55 served', 'x', 'junk', '1');
    const junk = ['published', '99999999999999999999 1 1 1 1', `${hour}`, 'x', 'y', '1 2 3', '9e99', '1 2 3'];
    await store.send('HSET', store.key('lookups:day'), ...junk);
    expect((await startNode()).read().last_24_hours).toHaveLength(1);
    one.recent.served.add();
    await settle();
    expect(one.totals()).toEqual([1, 0]);
    expect(one.read().last_24_hours.map(({ served }) => served)).toEqual([1]);
    await store.send('SET', store.key('lookups:day'), 'x');
    await settle();
    expect(one.totals()).toEqual([1, 0]);
  });
});
