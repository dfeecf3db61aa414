import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createDailySecret } from './daily-secret.ts';
import { createVisitorKeys, visitorPrefixes } from './visitor-keys.ts';

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

describe('createVisitorKeys', () => {
  const DAY = 86_400_000;

  it('gives one key per prefix for a day, then another', async () => {
    const system = createFakeSystem();
    const keysOf = createVisitorKeys(createDailySecret(system));
    await system.advance(DAY / 3);
    const first = keysOf('192.0.2.1');
    await system.advance(DAY - 1);
    expect(keysOf('192.0.2.1')).toEqual(first);
    await system.advance(1);
    expect(keysOf('192.0.2.1').narrow).not.toEqual(first.narrow);
    expect(keysOf('192.0.2.1').wide).not.toEqual(first.wide);
  });

  it('is not renewed by a jump of the wall clock', () => {
    const system = createFakeSystem();
    const keysOf = createVisitorKeys(createDailySecret(system));
    const before = keysOf('192.0.2.1');
    system.skewWall(10 * DAY);
    expect(keysOf('192.0.2.1')).toEqual(before);
  });

  it('cannot be recomputed without the secret', () => {
    const keysWith = (seed: number) =>
      createVisitorKeys(createDailySecret(createFakeSystem({ seed })))('192.0.2.1');
    expect(keysWith(1).narrow).not.toEqual(keysWith(2).narrow);
    expect(keysWith(1).narrow).not.toEqual(keysWith(1).wide);
  });
});
