import * as fc from 'fast-check';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import {
  createClientIp,
  createTrust,
  createUntrustedProxy,
  isPrivateAddress,
  parseCidr,
  parseIpAddress,
  visitorPrefixes,
  type AddressRange,
} from './ip-address.ts';

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

type Case = readonly [name: string, peer: string, forwardedFor: string, expected: string];

const PROXY = '10.0.0.1';
const TRUSTED = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::/64'];

/** A server that answers with what it takes for the visitor's address. */
const echoing = (trusted: readonly string[], onUntrusted: (peer: string) => void = () => {}) => {
  const isTrusted = createTrust(trusted.map((text) => (parseCidr(text) as { value: AddressRange }).value));
  const server = fastify({ trustProxy: isTrusted });
  const clientIp = createClientIp(isTrusted, onUntrusted);
  server.get('/', async (request) => clientIp(request));
  return async (remoteAddress: string, forwardedFor: string): Promise<string> => {
    const headers = { 'x-forwarded-for': forwardedFor };
    return (await server.inject({ url: '/', remoteAddress, headers })).body;
  };
};
const trusting = echoing(TRUSTED);

const cases: readonly Case[] = [
  ['a proxy that says nothing', PROXY, '  ', PROXY],
  ['whom a proxy names by a mapped address', `::ffff:${PROXY}`, '192.0.2.1', '192.0.2.1'],
  ['whom a proxy names with a port', PROXY, '192.0.2.1:54321', '192.0.2.1'],
  ['who is before a trusted hop with a port', PROXY, '192.0.2.1, 10.0.0.5:4711', '192.0.2.1'],
  ['whom a proxy names in brackets', PROXY, '[2001:db8::1]:443', '2001:db8::1'],
  ['a last group that looks like a port', PROXY, '2001:db8::1:443', '2001:db8::1:443'],
  ['who is before all trusted hops', PROXY, '127.0.0.1, 198.51.100.1, 10.9.9.9, fd00::1', '198.51.100.1'],
  ['who is right of what is not read', PROXY, ',, junk, 1.1.1.1, 198.51.100.1', '198.51.100.1'],
];

it.each(cases)('the visitor is %s', async (...[, peer, forwardedFor, expected]: Case) => {
  expect(await trusting(peer, forwardedFor)).toBe(expected);
});

const start = (publicUrl: string, trusted: readonly string[]) => {
  const { clock, stall } = createFakeSystem();
  const logged: unknown[] = [];
  const proxy = createUntrustedProxy(clock, publicUrl, { warn: (event: unknown) => void logged.push(event) });
  return {
    ...proxy,
    clientIp: echoing(trusted, proxy.seen),
    logged,
    stall,
  };
};

it('a proxy that is not trusted is named, once an hour', async () => {
  const { clientIp, recent, logged, stall } = start('https://lookup.test', ['10.0.0.0/8']);
  await clientIp('10.0.0.1', '203.0.113.9');
  await clientIp('10.0.0.1', '10.0.0.1');
  expect(recent()).toBeNull();
  for (let n = 0; n < 3; n += 1) expect(await clientIp('172.18.0.1', '203.0.113.9')).toBe('172.18.0.1');
  expect(recent()).toEqual({ peer: '172.18.0.1' });
  expect(logged).toEqual([{ event: 'untrusted-proxy', peer: '172.18.0.1' }]);
  stall(3_600_001);
  expect(recent()).toBeNull();
});

it.each([
  ['https', 'is not named', { peer: null }],
  ['http', 'is none, where there is no proxy', null],
])('a public address, which may be a visitor’s, on a site by %s %s', async (scheme, _, seen) => {
  const { clientIp, recent } = start(`${scheme}://lookup.test`, []);
  await clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toEqual(seen);
});
