import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { ANSWER_MS } from '#server/deadlines.ts';
import { readReadiness } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from './visitor.ts';

const EVERYONE_EXISTS = { notFoundShare: 0 };
const LOOKUPS = 10;
const STOP_DELAY_MS = 1_000;

const HEALTHZ = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

const keepingAgent = (): Agent & Disposable => {
  const agent = new Agent({ keepAlive: true });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
};

/** Closes the app while lookups are under way that take longer than the delay before the close. */
const closeUnderLoad = async (test: TestApp, agent: Agent) => {
  const origin = await listenPublicly(test);
  test.sandbox.faults.set({ latencyMs: 3_000 });
  const visits = await Promise.all(
    distinctIds(LOOKUPS).map(async (id) => visit(origin, { id, proof: await test.proof(), agent })),
  );
  await vi.waitFor(() => expect(test.app.pool.counts().inFlight).toBe(LOOKUPS), EVENTUALLY);
  const closed = test.app.close();
  return { origin, closed, answers: Promise.all(visits.map(({ answer }) => answer)) };
};

const connectTo = async (origin: string, text = ''): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

describe('closing the app', () => {
  it('turns readiness off, takes nothing new after a while, answers what is under way, and waits for no idle connection', async () => {
    // Behind a proxy idle connections are kept for longer than a shutdown may take.
    const env = { TRUSTED_PROXIES: '127.0.0.1/32' };
    await using test = await startTestApp({ tokens: LOOKUPS, sandbox: EVERYONE_EXISTS, env });
    using agent = keepingAgent();
    expect(await readReadiness(test.app)).toMatchObject({ status: 200 });
    const { origin, closed, answers } = await closeUnderLoad(test, agent);
    expect(await readReadiness(test.app)).toMatchObject({ status: 503, body: { draining: true } });
    // So that a balancer can look elsewhere.
    await test.system.advance(STOP_DELAY_MS - 1);
    const late = await request(`${origin}/challenge`);
    await late.body.dump();
    expect([late.statusCode, late.headers['connection']]).toEqual([200, 'close']);
    await test.system.advance(1);
    await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const { status, headers, body } of await test.settle(answers))
      expect([status, headers['connection'], typeof JSON.parse(body).username]).toEqual([
        200,
        'close',
        'string',
      ]);
    await closed;
    expect(test.app.admin.listening).toBe(false);
  });

  it('ends connections that idle, but answers whoever asks before that', async () => {
    await using test = await startTestApp();
    const origin = await listenPublicly(test);
    const [kept, idle] = [await connectTo(origin, HEALTHZ), await connectTo(origin, HEALTHZ)];
    await Promise.all([once(kept, 'data'), once(idle, 'data')]);
    const closed = test.app.close();
    await test.system.advance(STOP_DELAY_MS - 1);
    kept.write(HEALTHZ);
    expect(String(await once(kept, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(idle.closed).toBe(false);
    await Promise.all([test.system.advance(1), once(idle, 'close'), closed]);
  });

  it('cuts off whoever still sends a request ten seconds later', async () => {
    await using test = await startTestApp();
    const slow = await connectTo(await listenPublicly(test), 'POST /lookup HTTP/1.1\r\n');
    const closed = test.app.close();
    await test.system.advance(STOP_DELAY_MS + ANSWER_MS - 1);
    expect(slow.closed).toBe(false);
    await Promise.all([test.system.advance(1), once(slow, 'close'), closed]);
  });
});
