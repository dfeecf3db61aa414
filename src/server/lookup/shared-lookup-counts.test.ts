import { describe, expect, it } from 'vitest';
import { createRecentCount } from '#server/observability/recent-count.ts';
import type { Session } from '#server/storage/redis/session.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { startTestStore } from '#test/support/shared-store.ts';
import { createSharedLookupCounts } from './shared-lookup-counts.ts';

const MINUTE_MS = 60_000;

const setUp = async () => {
  const { clock } = createFakeSystem();
  const store = await startTestStore(await redisUrl());
  const time = { nowMs: Date.UTC(2026, 10, 17, 8, 50) };
  const startNode = () => {
    const own = { served: createRecentCount(clock), refused: createRecentCount(clock) };
    let keepUp = async (_session: Session): Promise<void> => {};
    const counts = createSharedLookupCounts(
      {
        key: store.key,
        storeNowMs: () => time.nowMs,
        everySecond: (task) => {
          keepUp = task;
        },
      },
      own,
    );
    return {
      own,
      aSecondPasses: () => keepUp(store.session()),
      totals: () => [counts.served.total(), counts.refused.total()],
    };
  };
  return { store, time, one: startNode(), other: startNode(), [Symbol.dispose]: store.close };
};

describe.skipIf(REDIS_MISSING !== null)('the lookups of all nodes', () => {
  it('are those of the last hour, to the minute, also when the hour of the clock ends', async () => {
    using test = await setUp();
    const { one, other, time } = test;
    one.own.served.add();
    one.own.served.add();
    expect(one.totals()).toEqual([2, 0]);
    await one.aSecondPasses();
    await one.aSecondPasses();
    time.nowMs += 20 * MINUTE_MS;
    other.own.refused.add();
    await other.aSecondPasses();
    await one.aSecondPasses();
    for (const node of [one, other]) expect(node.totals()).toEqual([2, 1]);
    time.nowMs += 40 * MINUTE_MS;
    await one.aSecondPasses();
    expect(one.totals()).toEqual([0, 1]);
    time.nowMs += 60 * MINUTE_MS;
    await one.aSecondPasses();
    expect(one.totals()).toEqual([0, 0]);
  });

  it('need nothing of what else may be found under their names', async () => {
    using test = await setUp();
    const hour = Math.floor(test.time.nowMs / 3_600_000);
    await test.store.send('SET', test.store.key(`lookups:${hour}`), 'x');
    await test.store.send('HSET', test.store.key(`lookups:${hour - 1}`), '55 served', 'x', 'junk', '1');
    test.one.own.served.add();
    await test.one.aSecondPasses();
    expect(test.one.totals()).toEqual([1, 0]);
  });
});
