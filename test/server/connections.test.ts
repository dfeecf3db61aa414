import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_CONNECTIONS_OF } from '#server/http/connections/limits.ts';
import { MAX_WAITING_REQUESTS } from '#server/http/connections/serialize-pipelining.ts';
import { openPort } from '#test/attacks/raw-exchange.ts';
import { readMetrics } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const MOST = MAX_WAITING_REQUESTS + 1;
const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
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
const answersIn = (text: string): number => text.split('HTTP/1.1 200 OK').length - 1;
const answered = async (): Promise<number> =>
  (await readMetrics(test.app)).get('whoflake_http_requests_total{route="/healthz",status="200"}') ?? 0;
const closed = async (reason: string): Promise<number> =>
  (await readMetrics(test.app)).get(`whoflake_connections_closed_total{reason="${reason}"}`) ?? 0;

describe('requests on one connection that do not wait for answers', () => {
  it(`are all answered, in order, up to ${MOST} at once`, async () => {
    const paths = Array.from({ length: MOST }, (_, n) => `/nothing-${n}`);
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const requests = paths.slice(1).map((path) => `HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const text = await answerTo(requests.join('') + last);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([...requests.map(() => 'HTTP/1.1 404'), 'HTTP/1.1 200']);
    expect(text).toMatch(/ok$/);
  });

  // Fails if an upgrade of Node moves the private `parser.onIncoming`: then all 2,000 are parsed.
  it.each([
    ['GET', GET],
    ['PUT', `PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${'x'.repeat(100)}`],
    ['GET with an Expect', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n'],
  ])('close the connection if they are more, and hardly any %s is worked on', async (_name, request) => {
    let parsed = 0;
    for (const event of ['request', 'checkExpectation'])
      listener().prependListener(event, () => (parsed += 1));
    await answerTo(request.repeat(2_000));
    expect(parsed).toBe(MOST);
    expect(await answered()).toBeLessThanOrEqual(1);
    expect(await closed('pipelining')).toBe(1);
  });

  it('wait for an answer that is not read', async () => {
    const socket = open().pause();
    const last = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n' + last);
    await new Promise<void>((resolve) => {
      listener().on('request', ({ url }) => url === '/healthz' && resolve());
    });
    expect(await answered()).toBe(0);
    expect((await readAll(socket.resume())).length).toBeGreaterThan(LARGE.length);
    expect(await answered()).toBe(1);
  });
});

describe('a request whose head asks for too much', () => {
  const POST = 'POST /lookup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  it.each([
    [
      'a body without a length',
      411,
      `${POST}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(9_000)}`,
    ],
    ['a large body', 413, `${POST}Content-Length: 5000\r\n\r\n${' '.repeat(5_000)}`],
    ['a large body for a page', 413, `GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n`],
    ['more than a hundred headers', 431, `GET / HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(100)}\r\n`],
  ])('is refused, and nothing after it is read: %s', async (_name, status, text) => {
    let parsed = 0;
    listener().prependListener('request', () => (parsed += 1));
    const answer = await answerTo(text + GET);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n');
    expect([answer.split('HTTP/1.1').length, parsed]).toEqual([2, 0]);
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

const isServed = async (from: string): Promise<boolean> => {
  const socket = open(from);
  socket.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  return answersIn(await readAll(socket)) === 1;
};

it('connections from one address are closed beyond a hundred, from one network beyond eight hundred, and taken again once some are closed', async () => {
  const openFrom = async (from: string): Promise<Socket[]> => {
    const opened = Array.from({ length: MAX_CONNECTIONS_OF.narrow }, () => open(from));
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
    return opened;
  };
  const accepted = once(listener(), 'connection') as Promise<[Socket]>;
  const first = await openFrom('127.0.0.1');
  expect([await isServed('127.0.0.1'), await isServed('127.0.0.2')]).toEqual([false, true]);
  for (let n = 2; n <= 8; n += 1) await openFrom(`127.0.0.${n}`);
  expect([await isServed('127.0.0.9'), await isServed('127.0.1.1')]).toEqual([false, true]);
  expect(await closed('address-limit')).toBe(2);
  const left = once((await accepted)[0], 'close');
  for (const socket of first) socket.destroy();
  await left;
  expect(await isServed('127.0.0.1')).toBe(true);
});

it('slow clients are given up on, and a proxy may hold a connection idle for longer than a visitor', async () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = listener();
  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 15_000, 5_000]);
  expect([maxConnections, Reflect.get(listener(), 'connectionsCheckingInterval')]).toEqual([10_000, 1_000]);
  await using behind = await startTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  expect(behind.app.server.server.keepAliveTimeout).toBe(72_000);
});
