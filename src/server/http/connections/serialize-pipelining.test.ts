import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { MAX_WAITING_REQUESTS, serializePipelining } from './serialize-pipelining.ts';

// Fails if an upgrade of Node moves the private `parser.onIncoming`: then all 2,000 requests arrive.
it('stops the parser when it closes a connection', async () => {
  let arrived = 0;
  const closed: string[] = [];
  const unanswered = serializePipelining(() => {}, { connectionClosed: (reason) => closed.push(reason) });
  await using server = createServer((request, response) => {
    arrived += 1;
    unanswered(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
  await new Promise((resolve) => client.once('close', resolve));
  // The one that is being answered, those that wait, and the one too many.
  expect(arrived).toBe(1 + MAX_WAITING_REQUESTS + 1);
  expect(closed).toEqual(['pipelining']);
});
