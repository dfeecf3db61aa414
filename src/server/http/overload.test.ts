import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createEvents } from '#server/observability/events.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { errorSentences } from './error-answer.ts';
import { guardAgainstOverload } from './overload.ts';

it('a request that is being worked on counts until it is answered or its client has left', async () => {
  let inFlight = 0;
  const server = fastify();
  const leave = guardAgainstOverload(server, {
    overload: {
      admits: () => true,
      begin: () => void (inFlight += 1),
      end: () => void (inFlight -= 1),
      isShedding: () => false,
    },
    errors: {
      headers: {},
      sentences: errorSentences({ platformName: 'Discord', tokenDonations: true }),
      events: createEvents(pino({ enabled: false })),
    },
    cheapPaths: new Set(),
    isDraining: () => false,
  });
  server.addHook('onSend', async (request) => leave(request));
  const answer = Promise.withResolvers<string>();
  server.post('/work', () => answer.promise);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const open = (sent: string) => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(sent);
    return socket;
  };
  const head =
    'POST /work HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
  const slow = open(`${head}{}`);
  const leaving = open(`${head}{}`);
  await vi.waitFor(() => expect(inFlight).toBe(2), EVENTUALLY);
  leaving.destroy();
  await vi.waitFor(() => expect(inFlight).toBe(1), EVENTUALLY);
  answer.resolve('done');
  await once(slow, 'data');
  expect(inFlight).toBe(0);
  slow.destroy();
  await server.close();
});
