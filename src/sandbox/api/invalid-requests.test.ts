import { expect, it } from 'vitest';
import { createInvalidRequests } from './invalid-requests.ts';

const MINUTE_MS = 60_000;

it('bans an address for an hour at the limit, and no other address', () => {
  const invalid = createInvalidRequests(3);
  for (const nowMs of [0, 1_000]) invalid.record('a', nowMs);
  expect(invalid.isBanned('a', 1_000)).toBe(false);
  invalid.record('a', 2_000);
  expect(invalid.isBanned('a', 2_000)).toBe(true);
  expect(invalid.isBanned('b', 2_000)).toBe(false);
  expect(invalid.isBanned('a', 2_000 + 60 * MINUTE_MS - 1)).toBe(true);
  expect(invalid.isBanned('a', 2_000 + 60 * MINUTE_MS)).toBe(false);
});

it('forgets what is older than ten minutes', () => {
  const invalid = createInvalidRequests(3);
  invalid.record('a', 0);
  invalid.record('a', 9 * MINUTE_MS);
  invalid.record('a', 10 * MINUTE_MS);
  expect(invalid.isBanned('a', 10 * MINUTE_MS)).toBe(false);
  invalid.record('a', 10 * MINUTE_MS);
  expect(invalid.isBanned('a', 10 * MINUTE_MS)).toBe(true);
});
