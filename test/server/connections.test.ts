import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPort } from '#test/attacks/raw-exchange.ts';
import { readMetrics } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST_GET = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
/** More than the kernel takes from us for somebody who does not read. */
const LARGE = Buffer.alloc(32 * 2 ** 20, 'x');

let test: TestApp;
const sockets: Socket[] = [];
beforeEach(async () => {
  test = await startTestApp();
  test.app.server.get('/large', (_request, reply) => void reply.send(LARGE));
  await openPort(test.app);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await test[Symbol.asyncDispose]();
});

const listener = () => test.app.server.server;
const open = (from = '127.0.0.1'): Socket => {
  const { port } = listener().address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket.on('error', () => {}));
  return socket;
};
const readAll = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  // A reset is a way to close, too.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
};
const answerTo = (text: string): Promise<string> => {
  const socket = open();
  socket.write(text);
  return readAll(socket);
};

describe('requests on one connection that do not wait for answers', () => {
  it('are all answered, in order', async () => {
    const paths = Array.from({ length: 8 }, (_, n) => `/nothing-${n}`);
    const requests = paths.map((path) => `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const text = await answerTo(requests.join('') + LAST_GET);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([...requests.map(() => 'HTTP/1.1 404'), 'HTTP/1.1 200']);
    expect(text).toMatch(/ok$/);
  });

  it.each([
    ['GET', GET],
    ['GET of HTTP/1.0', 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['PUT', `PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${'x'.repeat(100)}`],
    ['address that cannot be decoded', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['GET with an Expect', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
  ])('close the connection if they are very many, and hardly any %s is worked on', async (_name, request) => {
    await answerTo(request.repeat(400));
    const counts = (await readMetrics(test.app)).entries();
    const worked = counts.filter(([name]) => name.startsWith('whoflake_http_requests_total'));
    expect(worked.reduce((sum, [, count]) => sum + count, 0)).toBe(32);
  });
});

it('an answer that nobody reads takes its connection with it, after 30 seconds without progress', async () => {
  expect(listener().timeout).toBe(30_000);
  const socket = open().pause();
  const [ours] = (await once(listener(), 'connection')) as [Socket];
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(ours.bytesWritten).toBeGreaterThan(0), EVENTUALLY);
  const closing = once(ours, 'close');
  ours.setTimeout(10);
  await closing;
});

it('slow clients are given up on, and a proxy may hold a connection idle for longer than a visitor', async () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = listener();
  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 15_000, 5_000]);
  expect([maxConnections, Reflect.get(listener(), 'connectionsCheckingInterval')]).toEqual([10_000, 1_000]);
  await using behind = await startTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  expect(behind.app.server.server.keepAliveTimeout).toBe(72_000);
});
