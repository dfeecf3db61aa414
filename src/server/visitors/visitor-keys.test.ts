import { describe, expect, it } from 'vitest';
import { createDailySecret, visitorDigest, visitorPrefixes } from './visitor-keys.ts';

describe('visitorPrefixes', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77/32', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77/32', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::6', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64', '2001:db8:0::/48'],
    ['2001::1:2:3:4:5', '2001:0:0:1::/64', '2001:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['::', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['not an address', 'unknown', 'unknown'],
    ['', 'unknown', 'unknown'],
  ])('of %s', (address, narrow, wide) => {
    expect(visitorPrefixes(address)).toEqual({ narrow, wide });
  });
});

describe('createDailySecret', () => {
  it('has one secret for each day', () => {
    let nowMs = 20_000.5 * 86_400_000;
    const derived: number[] = [];
    const secret = createDailySecret(
      () => nowMs,
      (day) => `${derived.push(day)}: ${day}`,
    );
    expect([secret(), secret()]).toEqual(['1: 20000', '1: 20000']);
    nowMs += 43_200_000 - 1;
    expect(secret()).toBe('1: 20000');
    nowMs += 1;
    expect(secret()).toBe('2: 20001');
  });
});

it('cannot be recomputed without the secret, and half of it is kept', () => {
  expect(visitorDigest('a', 'x')).toHaveLength(16);
  expect(visitorDigest('a', 'x')).not.toEqual(visitorDigest('b', 'x'));
  expect(visitorDigest('a', 'x')).not.toEqual(visitorDigest('a', 'y'));
});
