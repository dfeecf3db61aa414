import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import {
  createClientIp,
  createTrust,
  createUntrustedProxy,
  parseCidr,
  type AddressRange,
} from './ip-address.ts';

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
