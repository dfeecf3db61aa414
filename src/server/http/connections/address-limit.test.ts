import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { rangesOf } from '#test/support/address-ranges.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { createProxyTrust } from '../client-ip.ts';
import { limitConnectionsByAddress, MAX_CONNECTIONS_OF } from './limits.ts';

const setUp = (trusted: readonly string[] = []) => {
  const server = new EventEmitter();
  const system = createFakeSystem();
  const closedFor: string[] = [];
  limitConnectionsByAddress(server as Server, {
    isTrustedProxy: createProxyTrust(rangesOf(trusted)),
    clock: system.clock,
    events: { connectionClosed: (reason) => closedFor.push(reason) },
  });
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      isMisused: false,
      destroy,
    });
    function destroy(): void {
      socket.destroyed = true;
    }
    server.emit('connection', socket);
    return socket;
  };
  const taken = (addresses: readonly string[]): number =>
    addresses.map(open).filter(({ destroyed }) => !destroyed).length;
  return { open, taken, closedFor, system };
};

const many = (count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => address(n));

it.each([
  ['an IPv4 address', 500, (n: number) => (n % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'), 'narrow'],
  ['an IPv6 /64', 500, (n: number) => `2001:db8:0:1::${n.toString(16)}`, 'narrow'],
  ['an IPv6 /48', 5_000, (n: number) => `2001:db8:7:${n.toString(16)}::1`, 'wide'],
  ['an IPv4 /24', 5_000, (n: number) => `192.0.2.${n % 250}`, 'wide'],
] as const)('limits the connections of %s', (_name, count, address, share) => {
  const { taken, closedFor } = setUp();
  expect(taken(many(count, address))).toBe(MAX_CONNECTIONS_OF[share]);
  expect(closedFor).toEqual(Array(count - MAX_CONNECTIONS_OF[share]).fill('address-limit'));
  expect(taken(['198.51.100.1', '2001:db8:8::1'])).toBe(2);
});

it('frees the share of closed connections, and counts no refused ones', () => {
  const { open, taken } = setUp();
  const sockets = many(MAX_CONNECTIONS_OF.narrow, () => '192.0.2.1').map(open);
  const refused = open('192.0.2.1');
  refused.emit('close');
  expect(taken(['192.0.2.1'])).toBe(0);
  for (const socket of sockets) socket.emit('close');
  expect(taken(many(500, () => '192.0.2.1'))).toBe(MAX_CONNECTIONS_OF.narrow);
  const network = many(MAX_CONNECTIONS_OF.wide, (n) => `198.51.100.${n % 250}`);
  for (const socket of network.map(open)) socket.emit('close');
  expect(taken(network)).toBe(MAX_CONNECTIONS_OF.wide);
});

it('keeps the place of a misused connection for half a minute', async () => {
  const { open, taken, system } = setUp();
  for (const socket of many(MAX_CONNECTIONS_OF.narrow, () => '192.0.2.1').map(open)) {
    socket.isMisused = true;
    socket.emit('close');
  }
  await system.advance(29_999);
  expect(taken(['192.0.2.1', '192.0.2.2'])).toBe(1);
  await system.advance(1);
  expect(taken(['192.0.2.1'])).toBe(1);
});

it('does not count a trusted proxy, however its address is written', () => {
  const { taken } = setUp(['192.0.2.0/24']);
  expect(taken(many(2_000, (n) => (n % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.2')))).toBe(2_000);
});
