import { describe, expect, it, vi } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { realSystem } from '#server/system.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { REDIS_MISSING } from '#test/support/redis-server.ts';
import { redisUrl } from '#test/support/run-servers.ts';
import { createTestStore } from '#test/support/shared-store.ts';

const OURS = { id: 'aaaa', url: 'https://ours.test' };
const THEIRS = { id: 'bbbb', url: 'https://theirs.test' };
const storeOf = (url: string, site: typeof OURS) => createTestStore(url, realSystem.clock, site);
const REMEDY =
  'give each its own store, database number or ?prefix=name in SHARED_STATE_URL; if that site is gone, empty the store.';

describe.skipIf(REDIS_MISSING !== null)('a shared store', () => {
  it('is for the nodes of one site; another needs a prefix of its own', async () => {
    const url = await redisUrl();
    using one = storeOf(url, OURS);
    using other = storeOf(url, { ...OURS, url: 'https://alias.test' });
    using stranger = storeOf(url, THEIRS);
    using elsewhere = storeOf(await redisUrl(), THEIRS);
    await one.start();
    await other.start();
    await expect(stranger.start()).rejects.toMatchObject({
      exitCode: EXIT.sharedStoreUnusable,
      message: `The shared store is in use by another site (https://ours.test, aaaa; this one is bbbb): ${REMEDY}`,
    });
    await elsewhere.start();
    expect([one, other, elsewhere].map(({ problem }) => problem())).toEqual([null, null, null]);
  });

  it('lets no part of a second site do its handshake', async () => {
    const url = await redisUrl();
    using one = storeOf(url, OURS);
    using stranger = storeOf(url, THEIRS);
    await one.start();
    const handshake = vi.fn<() => Promise<void>>();
    stranger.onSession(handshake);
    await expect(stranger.start()).rejects.toThrow('another site');
    expect(handshake).not.toHaveBeenCalled();
  });

  it('that another site has taken is left, and used again once that has given it up', async () => {
    const url = await redisUrl();
    using one = storeOf(url, OURS);
    await one.start();
    const key = one.key('site');
    await one.send('SET', key, 'bbbb https://theirs.test');
    const problem = `The shared store is in use by another site (https://theirs.test, bbbb; this one is aaaa): ${REMEDY}`;
    await vi.waitFor(() => expect(one.problem()).toBe(problem), EVENTUALLY);
    expect(one.told).toEqual(['found', problem]);
    using admin = storeOf(url, THEIRS);
    await admin.start();
    await admin.send('DEL', key);
    admin.close();
    await vi.waitFor(() => expect(one.problem()).toBeNull(), EVENTUALLY);
  });
});
