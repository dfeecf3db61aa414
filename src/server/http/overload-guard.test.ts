import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEvents } from '#server/observability/events.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { errorSentences } from './error-answer.ts';
import { guardAgainstOverload } from './overload.ts';
import type { Overload } from './overload.ts';

let admitting = true;
let draining = false;
let inFlight = 0;
let handled: unknown[] = [];
let answerNow = (): void => {};
let server: FastifyInstance;

const overload: Overload = {
  admits: () => admitting,
  begin: () => void (inFlight += 1),
  end: () => void (inFlight -= 1),
  isShedding: () => !admitting,
};

beforeEach(async () => {
  [admitting, draining, inFlight, handled] = [true, false, 0, []];
  server = fastify();
  const leave = guardAgainstOverload(server, {
    overload,
    errors: {
      headers: { 'x-content-type-options': 'nosniff' },
      sentences: errorSentences({ platformName: 'Discord', tokenDonations: true }),
      events: createEvents(pino({ enabled: false })),
    },
    cheapPaths: new Set(['/page']),
    isDraining: () => draining,
  });
  server.addHook('onSend', async (request) => leave(request));
  server.get('/page', async () => 'page');
  server.get('/raw', (request, reply) => {
    handled.push(inFlight);
    leave(request);
    reply.hijack();
  });
  server.post('/work', async (request) => {
    handled.push(request.body);
    await new Promise<void>((resolve) => (answerNow = resolve));
    return 'done';
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const open = async (text: string): Promise<Socket> => {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};
const request = (line: string, body = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const read = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

it('sends no body to HEAD, and asks to close while draining', async () => {
  [admitting, draining] = [false, true];
  const socket = await open(request('HEAD /work'));
  const [head = '', body] = (await read(socket)).split('\r\n\r\n');
  expect([head.includes('connection: close'), body]).toEqual([true, '']);
  await once(socket, 'close');
});

it('admits cheap paths, and nothing that only looks like one', async () => {
  admitting = false;
  const statusOf = async (url: string) => (await server.inject(url)).statusCode;
  expect(await statusOf('/page')).toBe(200);
  for (const url of ['/page?id=1', '/page/', '/page%3F', '/pag%65', '//page', '/work?/page', '/other'])
    expect([url, await statusOf(url)]).toEqual([url, 503]);
});

it('counts a request from when its body has arrived until it is answered', async () => {
  const whole = request('POST /work', '{"a":1}');
  const socket = await open(whole.slice(0, -3));
  await read(await open(request('GET /page')));
  expect(inFlight).toBe(0);
  socket.write(whole.slice(-3));
  await vi.waitFor(() => expect(inFlight).toBe(1), EVENTUALLY);
  answerNow();
  await read(socket);
  await vi.waitFor(() => expect(inFlight).toBe(0), EVENTUALLY);
  socket.destroy();
});

it('no longer counts a client that has left', async () => {
  const socket = await open(request('POST /work', '{"a":1}'));
  await vi.waitFor(() => expect(inFlight).toBe(1), EVENTUALLY);
  socket.destroy();
  await vi.waitFor(() => expect(inFlight).toBe(0), EVENTUALLY);
  answerNow();
});

it('no longer counts a request that was answered past the framework, read or not', async () => {
  const socket = await open(request('GET /raw'));
  await vi.waitFor(() => expect(handled).toEqual([1]), EVENTUALLY);
  expect(inFlight).toBe(0);
  socket.destroy();
});
