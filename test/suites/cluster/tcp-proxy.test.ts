import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** Says its name, then whatever it hears. */
const startEcho = async (name: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`${name}:`);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
};

const call = (port: number) => {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  const heard = { text: '', closed: false };
  socket.on('data', (bytes) => (heard.text += bytes.toString()));
  socket.on('error', () => {});
  socket.once('close', () => (heard.closed = true));
  return { heard, say: (text: string) => socket.write(text) };
};

let proxy: TcpProxy;
let one: Awaited<ReturnType<typeof startEcho>>;
let two: Awaited<ReturnType<typeof startEcho>>;
beforeEach(async () => {
  one = await startEcho('one');
  two = await startEcho('two');
  proxy = await startTcpProxy({ port: one.port, delayMs: 0, state: 'open' });
});
afterEach(async () => {
  for (const part of [proxy, one, two]) await part[Symbol.asyncDispose]();
});

it('passes on what is said, later and in its order where the way is slow', async () => {
  const caller = call(proxy.port);
  await vi.waitFor(() => expect(caller.heard.text).toBe('one:'), EVENTUALLY);
  proxy.steer({ delayMs: 100 });
  const startMs = performance.now();
  caller.say('a');
  caller.say('b');
  await vi.waitFor(() => expect(caller.heard.text).toBe('one:ab'), EVENTUALLY);
  expect(performance.now() - startMs).toBeGreaterThan(195);
});

it('holds everything back while it is silent, and delivers it after', async () => {
  const caller = call(proxy.port);
  await vi.waitFor(() => expect(caller.heard.text).toBe('one:'), EVENTUALLY);
  proxy.steer({ state: 'silent' });
  caller.say('held');
  const other = call(proxy.port);
  const direct = call(one.port);
  direct.say('meanwhile');
  await vi.waitFor(() => expect(direct.heard.text).toBe('one:meanwhile'), EVENTUALLY);
  expect([caller.heard, other.heard]).toEqual([
    { text: 'one:', closed: false },
    { text: '', closed: false },
  ]);
  proxy.steer({ state: 'open' });
  await vi.waitFor(() => expect(caller.heard.text).toBe('one:held'), EVENTUALLY);
});

it('drops everybody when it is closed or leads elsewhere', async () => {
  const caller = call(proxy.port);
  await vi.waitFor(() => expect(caller.heard.text).toBe('one:'), EVENTUALLY);
  proxy.steer({ port: two.port });
  await vi.waitFor(() => expect(caller.heard.closed).toBe(true), EVENTUALLY);
  const next = call(proxy.port);
  await vi.waitFor(() => expect(next.heard.text).toBe('two:'), EVENTUALLY);
  proxy.steer({ state: 'closed' });
  const refused = call(proxy.port);
  await vi.waitFor(() => expect([next.heard.closed, refused.heard.closed]).toEqual([true, true]), EVENTUALLY);
});
