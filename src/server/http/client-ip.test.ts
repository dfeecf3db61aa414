import { expect, it } from 'vitest';
import { parseCidr, type AddressRange } from '#server/visitors/ip-address.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createClientIp, createProxyTrust, createUntrustedProxy } from './client-ip.ts';

const rangesOf = (texts: readonly string[]): AddressRange[] =>
  texts.map((text) => {
    const parsed = parseCidr(text);
    if ('problem' in parsed) throw new TypeError(`${text} ${parsed.problem}.`);
    return parsed.value;
  });

type Case = readonly [name: string, peer: string, forwardedFor: string | undefined, expected: string];

const PROXY = '10.0.0.1';
const ignore = (): void => {};
const trusting = createClientIp(
  createProxyTrust(rangesOf(['10.0.0.0/8', '127.0.0.1', 'fd00::/8', '::/64'])),
  ignore,
);
const hops = (count: number, address: string): string => Array(count).fill(address).join(', ');

const cases: readonly Case[] = [
  ['the peer, without a header', '203.0.113.5', undefined, '203.0.113.5'],
  ['a peer that is no proxy, whatever it says', '::ffff:203.0.113.5', '192.0.2.1, 10.0.0.1', '203.0.113.5'],
  ['a peer one beyond the range of proxies', '11.0.0.0', '192.0.2.1', '11.0.0.0'],
  ['a proxy that says nothing', PROXY, '  ', PROXY],
  ['whom a proxy names with a port', PROXY, '192.0.2.1:54321', '192.0.2.1'],
  ['a last group that looks like a port', PROXY, '2001:db8::1:443', '2001:db8::1:443'],
  ['who is before all trusted hops', PROXY, '127.0.0.1, 198.51.100.1, 10.9.9.9:80, fd00::1', '198.51.100.1'],
  [
    'who is right of what is not read',
    PROXY,
    `,, junk, ${hops(500, '1.1.1.1')}, 198.51.100.1`,
    '198.51.100.1',
  ],
  ['who is behind nineteen hops', PROXY, `198.51.100.1, ${hops(19, '10.0.0.2')}`, '198.51.100.1'],
  ['the proxy, behind twenty hops', PROXY, `198.51.100.1, ${hops(20, '10.0.0.2')}`, PROXY],
];

it.each(cases)('the visitor is %s', (...[, peer, forwardedFor, expected]: Case) => {
  expect(trusting(peer, forwardedFor)).toBe(expected);
});

it.each(['unknown', '192.0.2.1:http', '[2001:db8::1]x', '192.0.2.1, junk, 10.0.0.2'])(
  'the visitor is the proxy if what it says is malformed: %s',
  (forwardedFor) => expect(trusting(PROXY, forwardedFor)).toBe(PROXY),
);

it('no proxy is trusted by default', () => {
  const clientIp = createClientIp(createProxyTrust([]), ignore);
  for (const peer of ['127.0.0.1', '::1', '10.0.0.1', '192.168.0.1'])
    expect(clientIp(peer, '192.0.2.1')).toBe(peer);
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

it.each([
  ['https', 'is not named', { peer: null }],
  ['http', 'is none, where there is no proxy', null],
])('a public address, which may be a visitor’s, on a site by %s %s', (scheme, _, seen) => {
  const { clientIp, recent } = start(`${scheme}://lookup.test`, []);
  clientIp('203.0.113.9', '198.51.100.1');
  expect(recent()).toEqual(seen);
});
