import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { MAX_WAITING_REQUESTS, serializePipelining } from './serialize-pipelining.ts';

const listen = async (answer: RequestListener) => {
  const server = await startHttpServer(serializePipelining(answer, realSystem.clock));
  return { ...server, open: (): Socket => connect(server.port, '127.0.0.1') };
};

it.each(['GET', 'POST', 'PUT', 'OPTIONS'])('starts one %s in a turn, whole and in order', async (method) => {
  const count = 1 + MAX_WAITING_REQUESTS;
  const bodies: string[] = [];
  let turn = 0;
  const turns: number[] = [];
  await using server = await listen((request, response) => {
    turns.push(turn);
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => bodies.push(body));
    response.end(request.url);
  });
  const client = server.open().setEncoding('latin1');
  const requests = Array.from(
    { length: count },
    (_, n) => `${method} /${n} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nb${n}`,
  );
  client.write(requests.join(''));
  let received = '';
  client.on('data', (text) => (received += text));
  while (!received.includes(`/${count - 1}`)) {
    await nextTurn();
    turn += 1;
  }
  client.destroy();
  const numbers = Array.from({ length: count }, (_, n) => n);
  expect(new Set(turns).size).toBe(count);
  expect(bodies).toEqual(numbers.map((n) => `b${n}`));
  expect(received.match(/\/\d(?=HTTP|$)/g)).toEqual(numbers.map((n) => `/${n}`));
});

it('answers another connection before a pipeline is worked off', async () => {
  const order: (string | undefined)[] = [];
  await using server = await listen((request, response) => {
    order.push(request.url);
    if (order.length === 1) other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n');
    response.end();
  });
  const [client, other] = [server.open(), server.open()];
  await Promise.all([once(client, 'connect'), once(other, 'connect')]);
  client.write(
    'POST /last HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx'.repeat(1 + MAX_WAITING_REQUESTS),
  );
  while (order.length < 2 + MAX_WAITING_REQUESTS) await nextTurn();
  for (const socket of [client, other]) socket.destroy();
  expect(order.at(-1)).toBe('/last');
});
