import { expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createProfileCache } from './lookup.ts';

it('the cache keeps only so many profiles, and none for longer than ten minutes', async () => {
  const { clock, advance } = createFakeSystem();
  const cache = createProfileCache(clock, 3);
  for (let n = 0; n < 10; n += 1) cache.set(String(n) as Snowflake, { username: 'somebody' } as Profile);
  expect(cache.size()).toBe(3);
  await advance(600_000);
  expect(cache.size()).toBe(0);
});
