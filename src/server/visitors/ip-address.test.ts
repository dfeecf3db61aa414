import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPrivateAddress, parseCidr, parseIpAddress, visitorPrefixes } from './ip-address.ts';

it.each([
  ['192.0.2.1', 'ipv4', '192.0.2.1'],
  ['::ffff:192.0.2.1', 'ipv4', '192.0.2.1'],
  ['::ffff:c000:201', 'ipv4', '192.0.2.1'],
  ['0:0:0:0:0:ffff:c000:0201', 'ipv4', '192.0.2.1'],
  ['::ffff:192.0.2.1%eth0', 'ipv4', '192.0.2.1'],
  ['2001:DB8:0:0::1', 'ipv6', '2001:db8::1'],
  ['fe80::1%eth0', 'ipv6', 'fe80::1'],
  ['::192.0.2.1', 'ipv6', '::192.0.2.1'],
  ['::fffe:192.0.2.1', 'ipv6', '::fffe:c000:201'],
  ['64:ff9b::192.0.2.1', 'ipv6', '64:ff9b::c000:201'],
] as const)('the address %s is read', (text, family, canonical) => {
  expect(parseIpAddress(text)).toEqual({ family, text: canonical });
});

const ALMOST_IPV4 = '1.2.3 1.2.3.4.5 01.2.3.4 256.1.1.1 0x7f000001 2130706433 1.2.3.4%eth0'.split(' ');
const ALMOST_IPV6 = '[::1] ::: 1::2::3 12345:: ::1% 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 ::g'.split(' ');
it.each(['', ' ', 'x', ...ALMOST_IPV4, ...ALMOST_IPV6, '::1 '])('%j is no address', (text) => {
  expect(parseIpAddress(text)).toBeUndefined();
});

it('parsing gives one spelling to every address, and reads its own spelling back', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV6(), fc.ipV4()), (text) => {
      const parsed = parseIpAddress(text);
      expect(parsed).toBeDefined();
      expect(parseIpAddress(text.toUpperCase())).toEqual(parsed);
      expect(parseIpAddress(parsed?.text ?? '')).toEqual(parsed);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['10.0.0.0/8', '10.0.0.0', 8],
  ['192.0.2.7', '192.0.2.7', 32],
  ['2001:DB8::/32', '2001:db8::', 32],
  ['::1', '::1', 128],
  ['::ffff:10.0.0.0/104', '10.0.0.0', 8],
  ['::ffff:10.1.2.3', '10.1.2.3', 32],
])('the range %s is read', (text, address, prefixLength) => {
  expect(parseCidr(text)).toMatchObject({ value: { text: address, prefixLength } });
});

it.each([
  ['', 'address range'],
  ['10.0.0.0/', 'address range'],
  ['10.0.0.0/08', 'address range'],
  ['10.0.0.0/8/8', 'address range'],
  ['10.0.0.0/8 ', 'address range'],
  ['fe80::1%eth0/64', 'address range'],
  ['10.0.0.0/33', 'prefix length'],
  ['2001:db8::/129', 'prefix length'],
  ['::ffff:10.0.0.0/8', 'prefix length'],
  ['0.0.0.0/0', 'every address'],
  ['::/0', 'every address'],
  ['::ffff:0.0.0.0/96', 'every address'],
])('%j is no range', (text, problem) => {
  expect(parseCidr(text)).toEqual({ problem: expect.stringContaining(problem) });
});

it.each([
  ['192.0.2.77', '192.0.2.77/32', '192.0.2.0/24', '192.0.0.0/16'],
  ['::ffff:192.0.2.77', '192.0.2.77/32', '192.0.2.0/24', '192.0.0.0/16'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48', '2001:db8::/32'],
  ['2001:db8::6', '2001:db8:0:0::/64', '2001:db8:0::/48', '2001:db8::/32'],
  ['2001::1:2:3:4:5', '2001:0:0:1::/64', '2001:0:0::/48', '2001:0::/32'],
  ['::', '0:0:0:0::/64', '0:0:0::/48', '0:0::/32'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48', 'fe80:0::/32'],
  ['not an address', 'unknown', 'unknown', 'unknown'],
])('the visitor %s has the prefixes %s, %s and %s', (address, narrow, wide, block) =>
  expect(visitorPrefixes(address)).toEqual({ narrow, wide, block }),
);

it('addresses that nobody has on the internet are known, and the first after them', () => {
  const isPrivate = (addresses: string): boolean[] => addresses.split(' ').map(isPrivateAddress);
  const all =
    '0.0.0.1 10.9.9.9 100.64.0.1 100.127.255.255 127.0.0.1 169.254.1.1 172.31.0.1 192.168.1.1 ::1 fd00::1 fe80::1';
  const none = '1.0.0.1 11.0.0.1 100.128.0.1 172.32.0.1 192.169.0.1 ::2 2001:db8::1 fec0::1 nobody';
  expect(new Set(isPrivate(all))).toEqual(new Set([true]));
  expect(new Set(isPrivate(none))).toEqual(new Set([false]));
});
