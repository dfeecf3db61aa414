import { describe, expect, it, vi } from 'vitest';
import { realSystem } from '#server/system.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { createSharedDailySecret } from './daily-secret.ts';

const DAY_MS = 86_400_000;

describe.skipIf(REDIS_MISSING !== null)('the daily secret of several nodes', () => {
  it('is one for all, another tomorrow, and known at every moment in between', async () => {
    const url = await redisUrl();
    let aheadMs = 0;
    const nodes = Array.from({ length: 3 }, () => {
      const store = createTestStore(url);
      const storeNowMs = (): number => store.storeNowMs() + aheadMs;
      return { store, secret: createSharedDailySecret(realSystem, { ...store, storeNowMs }) };
    });
    await Promise.all(nodes.map(({ store }) => store.start()));
    const all = (): Set<string> => new Set(nodes.map(({ secret }) => secret()));
    const [today] = all();
    expect(all()).toEqual(new Set([today]));
    expect(today).toMatch(/^[0-9a-f]{64}$/);
    aheadMs = DAY_MS;
    const [tomorrow] = all();
    expect(all()).toEqual(new Set([tomorrow]));
    expect(tomorrow).not.toBe(today);
    // The day after comes by itself.
    await vi.waitFor(() => {
      aheadMs = 2 * DAY_MS;
      expect(all().size).toBe(1);
    }, EVENTUALLY);
    for (const { store } of nodes) store.close();
  });

  it('is gone a minute after its day', async () => {
    using store = createTestStore(await redisUrl());
    createSharedDailySecret(realSystem, store);
    await store.start();
    const keys = (await store.send('KEYS', store.key('day:*'))) as string[];
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      const dayEndsAtMs = Date.parse(key.slice(store.key('day:').length)) + DAY_MS;
      expect(await store.send('PEXPIRETIME', key)).toBe(dayEndsAtMs + 60_000);
    }
  });

  it('is agreed on again after it was lost, and not given out without a store', async () => {
    await using server = await startRedisServer();
    using store = createTestStore(server.url);
    const secret = createSharedDailySecret(realSystem, store);
    expect(secret).toThrow('store-unavailable');
    await store.start();
    const before = secret();
    await store.send('FLUSHALL');
    await vi.waitFor(() => expect(secret()).not.toBe(before), EVENTUALLY);
    server.signal('SIGKILL');
    await vi.waitFor(() => expect(secret).toThrow('store-unavailable'), EVENTUALLY);
  });
});
