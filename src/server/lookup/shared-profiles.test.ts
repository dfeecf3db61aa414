import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realSystem } from '#server/system.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { PROFILE as profile } from '#test/support/profile.ts';
import { REDIS_MISSING, startRedisServer, type RedisServer } from '#test/support/redis-server.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { createSharedProfiles } from './shared-profiles.ts';

const ID = profile.id as Snowflake;
const CDN = profile.avatar_url;
const nameplate = { static_url: CDN, sku_id: null, expires_at: null, label: null, palette: null };

const startNode = async (url: string) => {
  const store = createTestStore(url);
  const profiles = createSharedProfiles(realSystem.clock, store, 'https://cdn.example');
  await store.start();
  return { store, profiles, [Symbol.dispose]: store.close };
};

describe.skipIf(REDIS_MISSING !== null)('shared profiles', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each([['somebody', profile] as const, ['nobody', null] as const])(
    'tell every node about %s, and how old that is',
    async (_, known) => {
      using one = await startNode(server.url);
      using other = await startNode(server.url);
      await one.store.send('FLUSHALL');
      expect(await other.profiles.get(ID)).toBeUndefined();
      await one.profiles.set(ID, known, 60_000);
      const shared = await vi.waitUntil(() => other.profiles.get(ID), EVENTUALLY);
      expect(shared.profile).toEqual(known);
      expect(shared.ageMs).toBeLessThan(10_000);
      expect(await one.store.send('PTTL', `wf:p:${ID}`)).toBeLessThanOrEqual(60_000);
    },
  );

  it('are not kept where caching is off', async () => {
    using node = await startNode(server.url);
    await node.store.send('FLUSHALL');
    await node.profiles.set(ID, profile, 0);
    expect(await node.store.send('DBSIZE')).toBe(0);
  });

  it('that make no sense count as not there', async () => {
    using node = await startNode(server.url);
    for (const entry of [
      '{',
      'null',
      JSON.stringify({ profile }),
      JSON.stringify({ storedMs: 'now', profile }),
      JSON.stringify({ storedMs: 1 }),
      JSON.stringify({ storedMs: 1, profile: { ...profile, flags: undefined } }),
      JSON.stringify({ storedMs: 1, profile: { ...profile, username: 7 } }),
      JSON.stringify({ storedMs: 1, profile: { ...profile, id: '1' } }),
      ...[
        { avatar_url: 'https://cdn.example.evil/a.png' },
        { banner_url: 'javascript:alert(1)' },
        { badge_url: '//evil.example/a.png' },
        { avatar_decoration_url: '' },
        { nameplate: { ...nameplate, animated_url: 'https://evil.example' } },
        { flags: [{ id: 'STAFF', name: 'Staff', image: 'https://evil.example/a.svg' }] },
      ].map((change) => JSON.stringify({ storedMs: 1, profile: { ...profile, ...change } })),
    ]) {
      await node.store.send('SET', `wf:p:${ID}`, entry);
      expect([entry, await node.profiles.get(ID)]).toEqual([entry, undefined]);
    }
  });

  it('replace whatever else lies in their place', async () => {
    using node = await startNode(server.url);
    await node.store.send('DEL', `wf:p:${ID}`);
    await node.store.send('LPUSH', `wf:p:${ID}`, 'a list');
    expect(await node.profiles.get(ID)).toBeUndefined();
    await node.profiles.set(ID, profile, 60_000);
    expect(await vi.waitUntil(() => node.profiles.get(ID), EVENTUALLY)).toMatchObject({ profile });
  });

  it('are not waited for when the store is slow', async () => {
    await using slow = await startRedisServer();
    using node = await startNode(slow.url);
    await node.profiles.set(ID, profile, 60_000);
    slow.signal('SIGSTOP');
    const askedMs = performance.now();
    expect(await node.profiles.get(ID)).toBeUndefined();
    // The store itself gives up only after half a second.
    expect(performance.now() - askedMs).toBeLessThan(450);
    slow.signal('SIGKILL');
    await vi.waitFor(() => expect(node.store.problem()).not.toBeNull(), EVENTUALLY);
    await node.profiles.set(ID, profile, 60_000);
    expect(await node.profiles.get(ID)).toBeUndefined();
  });
});
