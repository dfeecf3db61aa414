import { describe, expect, it, vi } from 'vitest';
import { realSystem } from '#server/system.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { REDIS_MISSING, startRedisServer } from '#test/support/redis-server.ts';
import { createTestStore } from '#test/support/shared-store.ts';
import { createSharedProfiles } from './shared-profiles.ts';

const ID = '441997505123577857' as Snowflake;
const profile: Profile = {
  id: ID,
  username: 'somebody',
  display_name: 'Somebody',
  global_name: null,
  discriminator: '0',
  avatar_url: 'https://cdn.example/a.png',
  banner_url: null,
  created_at: '2018-05-05T00:00:00.000Z',
  badge_url: null,
  accent_color: null,
  banner_color: null,
  flags: [],
  public_flags: 0,
  clan: null,
  primary_guild: null,
  bot: false,
  system: false,
  avatar_decoration_url: null,
  nameplate: null,
  display_name_styles: null,
};

const startNode = async (url: string) => {
  const store = createTestStore(url);
  const profiles = createSharedProfiles(realSystem.clock, store);
  await store.start();
  return { store, profiles, [Symbol.dispose]: store.close };
};

describe.skipIf(REDIS_MISSING !== null)('shared profiles', () => {
  it.each([['somebody', profile] as const, ['nobody', null] as const])(
    'tell every node about %s, and how old that is',
    async (_, known) => {
      await using server = await startRedisServer();
      using one = await startNode(server.url);
      using other = await startNode(server.url);
      expect(await other.profiles.get(ID)).toBeUndefined();
      one.profiles.set(ID, known, 60_000);
      await vi.waitFor(async () => expect(await other.profiles.get(ID)).toBeDefined(), EVENTUALLY);
      const shared = await other.profiles.get(ID);
      expect(shared?.profile).toEqual(known);
      expect(shared?.ageMs).toBeLessThan(10_000);
      expect(await one.store.send('PTTL', `wf:p:${ID}`)).toBeLessThanOrEqual(60_000);
    },
  );

  it('are not kept where caching is off', async () => {
    await using server = await startRedisServer();
    using node = await startNode(server.url);
    node.profiles.set(ID, profile, 0);
    expect(await node.store.send('DBSIZE')).toBe(0);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', 'null'],
    ['no time', JSON.stringify({ profile })],
    ['a time that is none', JSON.stringify({ storedMs: 'now', profile })],
    ['no profile', JSON.stringify({ storedMs: 1 })],
    ['less than a profile', JSON.stringify({ storedMs: 1, profile: { ...profile, flags: undefined } })],
    ['something else in a field', JSON.stringify({ storedMs: 1, profile: { ...profile, username: 7 } })],
    ['somebody else', JSON.stringify({ storedMs: 1, profile: { ...profile, id: '1' } })],
  ])('that are %s were not there', async (_, text) => {
    await using server = await startRedisServer();
    using node = await startNode(server.url);
    await node.store.send('SET', `wf:p:${ID}`, text);
    expect(await node.profiles.get(ID)).toBeUndefined();
  });

  it('are not waited for', async () => {
    await using server = await startRedisServer();
    using node = await startNode(server.url);
    node.profiles.set(ID, profile, 60_000);
    await vi.waitFor(async () => expect(await node.profiles.get(ID)).toBeDefined(), EVENTUALLY);
    server.signal('SIGSTOP');
    const askedMs = performance.now();
    expect(await node.profiles.get(ID)).toBeUndefined();
    // The store itself gives up only after half a second.
    expect(performance.now() - askedMs).toBeLessThan(450);
    server.signal('SIGKILL');
    await vi.waitFor(() => expect(node.store.problem()).not.toBeNull(), EVENTUALLY);
    node.profiles.set(ID, profile, 60_000);
    expect(await node.profiles.get(ID)).toBeUndefined();
  });
});
