import { expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createProfileCache } from './lookup.ts';

const id = (n: number) => String(n) as Snowflake;
const profile = { username: 'somebody' } as Profile;

it('the cache of profiles does not keep what expired', async () => {
  const { clock, advance } = createFakeSystem();
  const cache = createProfileCache(clock);
  cache.set(id(1), profile);
  await advance(599_900);
  cache.set(id(2), profile);
  await advance(600_000);
  expect(cache.size()).toBe(0);
});

it('the cache of profiles is bounded', () => {
  const cache = createProfileCache(createFakeSystem().clock, 3);
  for (let n = 0; n < 10; n += 1) cache.set(id(n), profile);
  expect(cache.size()).toBe(3);
});
