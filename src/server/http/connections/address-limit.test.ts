import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, it } from 'vitest';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { limitConnectionsByAddress, MAX_CONNECTIONS_OF } from './limits.ts';

const setUp = () => {
  const server = new EventEmitter();
  const { clock, advance } = createFakeSystem();
  limitConnectionsByAddress(server as Server, {
    isTrustedProxy: ({ text }) => text === '10.0.0.1',
    clock,
    events: { connectionClosed: () => {} },
  });
  /** Those that were not closed at once. */
  const open = (count: number, addressOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => {
      const destroy = (): void => void (connection.isOpen = false);
      const state = { remoteAddress: addressOf(n), isOpen: true, isMisused: false, destroy };
      const connection = Object.assign(new EventEmitter(), state);
      server.emit('connection', connection);
      return connection;
    }).filter(({ isOpen }) => isOpen);
  return { open, advance };
};

it('a trusted proxy has as many connections as it wants, a network of many visitors its share', () => {
  const { open } = setUp();
  expect(open(2_000, () => '10.0.0.1')).toHaveLength(2_000);
  expect(open(2_000, (n) => `2001:db8:7:${n.toString(16)}::1`)).toHaveLength(MAX_CONNECTIONS_OF.wide);
});

it('a connection that was misused keeps its place for half a minute', async () => {
  const { open, advance } = setUp();
  const address = () => '192.0.2.1';
  for (const connection of open(MAX_CONNECTIONS_OF.narrow, address)) {
    connection.isMisused = true;
    connection.emit('close');
  }
  await advance(29_999);
  expect(open(1, address)).toEqual([]);
  await advance(1);
  expect(open(1, address)).toHaveLength(1);
});
