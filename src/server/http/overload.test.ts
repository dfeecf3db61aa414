import { Agent, request } from 'undici';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createEvents } from '#server/observability/events.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { errorSentences } from './error-answer.ts';
import { guardAgainstOverload } from './overload.ts';

it('a request that is being worked on counts until it is answered or its client has left', async () => {
  const server = fastify();
  const { leave, isShedding } = guardAgainstOverload(server, {
    clock: createFakeSystem().clock,
    maxInFlight: 2,
    errors: {
      headers: {},
      sentences: errorSentences({ platformName: 'Discord', tokenDonations: true }),
      events: createEvents(pino({ enabled: false })),
    },
    cheapPaths: new Set(),
    isDraining: () => false,
  });
  server.addHook('onSend', async (answered) => leave(answered));
  const answer = Promise.withResolvers<string>();
  let working = 0;
  server.post('/work', () => {
    working += 1;
    return answer.promise;
  });
  server.get('/', async () => 'ok');
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const client = new Agent();
  const work = (signal?: AbortSignal) =>
    request(`${origin}/work`, { method: 'POST', dispatcher: client, ...(signal && { signal }) });
  const status = async (): Promise<number> => (await server.inject('/')).statusCode;
  const leaving = new AbortController();
  const [stays, left] = [work(), expect(work(leaving.signal)).rejects.toThrow()];
  await vi.waitFor(() => expect(working).toBe(2), EVENTUALLY);
  expect([await status(), isShedding()]).toEqual([503, true]);
  leaving.abort();
  await left;
  await vi.waitFor(async () => expect(await status()).toBe(200), EVENTUALLY);
  const second = work();
  await vi.waitFor(() => expect(working).toBe(3), EVENTUALLY);
  expect(await status()).toBe(503);
  answer.resolve('done');
  await Promise.all([stays, second]);
  expect(await status()).toBe(200);
  await client.destroy();
  await server.close();
});
