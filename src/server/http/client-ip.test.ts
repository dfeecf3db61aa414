import { describe, expect, it } from 'vitest';
import { rangesOf } from '#test/support/address-ranges.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createClientIp, createProxyTrust, createUntrustedProxy } from './client-ip.ts';

type Case = readonly [
  name: string,
  peer: string | undefined,
  forwardedFor: string | readonly string[] | undefined,
  expected: string,
];

const PROXY = '10.0.0.1';
const ignore = (): void => {};
const trusting = createClientIp(
  createProxyTrust(rangesOf(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::/64'])),
  ignore,
);
const hops = (count: number, address: string): string => Array(count).fill(address).join(', ');

const untrustedPeers: readonly Case[] = [
  ['no header', '203.0.113.5', undefined, '203.0.113.5'],
  ['a list', '203.0.113.5', '192.0.2.1, 10.0.0.1', '203.0.113.5'],
  ['several headers', '203.0.113.5', ['192.0.2.1', '192.0.2.2'], '203.0.113.5'],
  ['a mapped peer', '::ffff:203.0.113.5', '192.0.2.1', '203.0.113.5'],
  ['an IPv6 peer', '2001:DB8::5', '192.0.2.1', '2001:db8::5'],
  ['a peer one beyond the range', '11.0.0.0', '192.0.2.1', '11.0.0.0'],
  ['a peer one before the range', '9.255.255.255', '192.0.2.1', '9.255.255.255'],
  ['another loopback address than the one named', '127.0.0.2', '192.0.2.1', '127.0.0.2'],
  ['an IPv4 peer is not in ::/64', '198.51.100.9', '192.0.2.1', '198.51.100.9'],
  ['a mapped IPv4 peer is not in ::/64', '::ffff:198.51.100.9', '192.0.2.1', '198.51.100.9'],
  ['no peer', undefined, undefined, '::'],
  ['a peer that is not an address', 'unix:', undefined, '::'],
];

const oneProxy: readonly Case[] = [
  ['no header', PROXY, undefined, PROXY],
  ['only spaces', PROXY, '  ', PROXY],
  ['no header lines', PROXY, [], PROXY],
  ['IPv4 with white space around it', PROXY, ' \t192.0.2.1  ', '192.0.2.1'],
  ['IPv6', PROXY, '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['mapped IPv4', PROXY, '::ffff:192.0.2.1', '192.0.2.1'],
  ['IPv4 with a port', PROXY, '192.0.2.1:54321', '192.0.2.1'],
  ['IPv6 in brackets', PROXY, '[2001:db8::1]', '2001:db8::1'],
  ['IPv6 in brackets with a port', PROXY, '[2001:db8::1]:443', '2001:db8::1'],
  ['IPv6 in brackets with a zone', PROXY, '[fe80::1%eth0]:443', 'fe80::1'],
  ['mapped IPv4 in brackets', PROXY, '[::ffff:192.0.2.1]:1', '192.0.2.1'],
  ['IPv6 whose last group looks like a port', PROXY, '2001:db8::1:443', '2001:db8::1:443'],
  ['a proxy written as mapped IPv4', '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['an IPv6 proxy', 'fd12::1', '192.0.2.1', '192.0.2.1'],
  ['a proxy at the end of the range', '10.255.255.255', '192.0.2.1', '192.0.2.1'],
];

const chains: readonly Case[] = [
  ['the right-most address wins', PROXY, '192.0.2.1,198.51.100.1', '198.51.100.1'],
  ['trusted hops are skipped', PROXY, '198.51.100.1, 10.9.9.9:80, ::ffff:10.8.8.8, fd00::1', '198.51.100.1'],
  ['a forged chain on the left', PROXY, '127.0.0.1, 10.0.0.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['junk on the left is not read', PROXY, ',, junk, 198.51.100.1', '198.51.100.1'],
  ['entries on the left are not counted', PROXY, `${hops(500, '1.1.1.1')}, 198.51.100.1`, '198.51.100.1'],
  ['several headers are one list', PROXY, ['198.51.100.1', '10.0.0.2'], '198.51.100.1'],
  ['all trusted: the furthest', PROXY, '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['twenty hops', PROXY, `198.51.100.1, ${hops(19, '10.0.0.2')}`, '198.51.100.1'],
  ['twenty-one hops', PROXY, `198.51.100.1, ${hops(20, '10.0.0.2')}`, PROXY],
];

const malformed: readonly Case[] = [
  'unknown',
  '192.0.2.1,',
  '192.0.2.1, , 10.0.0.2',
  '192.0.2.1, junk, 10.0.0.2',
  '192.0.2.1:',
  '192.0.2.1:http',
  '192.0.2.1:123456',
  '[192.0.2.1]',
  '[2001:db8::1',
  '2001:db8::1]',
  '[[2001:db8::1]]',
  '[2001:db8::1]x',
  '[]',
  '1'.repeat(8_000),
].map((forwardedFor) => [JSON.stringify(forwardedFor.slice(0, 30)), PROXY, forwardedFor, PROXY]);

describe.each([
  ['an untrusted peer', untrustedPeers],
  ['a trusted proxy', oneProxy],
  ['a chain of proxies', chains],
  ['a malformed entry', malformed],
])('%s', (_title, cases) => {
  it.each(cases)('%s', (...[, peer, forwardedFor, expected]: Case) => {
    expect(trusting(peer, forwardedFor)).toBe(expected);
  });
});

describe('createClientIp', () => {
  it('trusts nobody by default', () => {
    const clientIp = createClientIp(createProxyTrust([]), ignore);
    for (const peer of ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1'])
      expect(clientIp(peer, '192.0.2.1')).toBe(peer);
  });
});

const start = (publicUrl: string, trusted: readonly string[]) => {
  const { clock, stall } = createFakeSystem();
  const logged: unknown[] = [];
  const proxy = createUntrustedProxy(clock, publicUrl, { warn: (event: unknown) => void logged.push(event) });
  return {
    ...proxy,
    clientIp: createClientIp(createProxyTrust(rangesOf(trusted)), proxy.seen),
    logged,
    stall,
  };
};

it('a proxy that is not trusted is named, once an hour', () => {
  const { clientIp, recent, logged, stall } = start('https://lookup.test', ['10.0.0.0/8']);
  clientIp('10.0.0.1', '203.0.113.9');
  expect(recent()).toBeNull();
  for (let n = 0; n < 3; n += 1) expect(clientIp('172.18.0.1', '203.0.113.9')).toBe('172.18.0.1');
  expect(recent()).toEqual({ peer: '172.18.0.1' });
  expect(logged).toEqual([{ event: 'untrusted-proxy', peer: '172.18.0.1' }]);
  stall(3_600_001);
  expect(recent()).toBeNull();
});

it('a public address, which may be a visitor’s, is not named', () => {
  const { clientIp, recent } = start('https://lookup.test', []);
  clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toEqual({ peer: null });
});

it('a visitor of a site without a proxy who forges the header is none', () => {
  const { clientIp, recent } = start('http://lookup.test', []);
  clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toBeNull();
});
