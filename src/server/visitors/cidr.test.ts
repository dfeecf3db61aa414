import { describe, expect, it } from 'vitest';
import { parseCidr } from './ip-address.ts';

describe('parseCidr', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0', 8],
    ['192.0.2.7', '192.0.2.7', 32],
    ['192.0.2.7/32', '192.0.2.7', 32],
    ['2001:DB8::/32', '2001:db8::', 32],
    ['::1', '::1', 128],
    ['fd00::/8', 'fd00::', 8],
    ['::ffff:10.0.0.0/104', '10.0.0.0', 8],
    ['::ffff:10.1.2.3', '10.1.2.3', 32],
  ])('reads %s', (text, address, prefixLength) => {
    expect(parseCidr(text)).toMatchObject({ ok: true, address: { text: address }, prefixLength });
  });

  it.each([
    ['', 'address range'],
    ['localhost', 'address range'],
    ['10.0.0.0/', 'address range'],
    ['10.0.0.0/08', 'address range'],
    ['10.0.0.0/8/8', 'address range'],
    ['10.0.0.0/-1', 'address range'],
    ['10.0.0.0/8 ', 'address range'],
    ['10.0.0.0/255.0.0.0', 'address range'],
    ['10.0/8', 'address range'],
    ['fe80::1%eth0/64', 'address range'],
    ['10.0.0.0/33', 'prefix length'],
    ['2001:db8::/129', 'prefix length'],
    ['::ffff:10.0.0.0/8', 'prefix length'],
    ['0.0.0.0/0', 'every address'],
    ['::/0', 'every address'],
    ['::ffff:0.0.0.0/96', 'every address'],
  ])('refuses %j', (text, problem) => {
    expect(parseCidr(text)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });
});
