import { expect, it } from 'vitest';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createProfileCache, createSingleFlight } from './lookup.ts';

const PROFILE = { username: 'somebody' } as Profile;

it('the cache keeps only so many profiles, and none for longer than ten minutes', async () => {
  const { clock, advance } = createFakeSystem();
  const cache = createProfileCache(clock, 3);
  for (let n = 0; n < 10; n += 1) cache.set(String(n) as Snowflake, PROFILE);
  expect(cache.size()).toBe(3);
  await advance(600_000);
  expect(cache.size()).toBe(0);
});

it('a shared lookup has the tickets of all who want it, also of those who come later', async () => {
  const seen: number[] = [];
  const singleFlight = createSingleFlight(async (_id, tickets) => {
    seen.push(...tickets.all.map(({ network }) => network));
    return new Promise((resolve) => {
      tickets.onMore = ({ network }) => {
        seen.push(network);
        resolve(PROFILE);
      };
    });
  });
  const nobodyLeaves = new AbortController().signal;
  const both = [1, 2].map((network) =>
    singleFlight('1' as Snowflake, { network, block: 0, work: 1 }, nobodyLeaves),
  );
  expect(await Promise.all(both)).toEqual([PROFILE, PROFILE]);
  expect(seen).toEqual([1, 2]);
});
