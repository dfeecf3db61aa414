import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { readAdmin } from '#test/support/admin-client.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from '#test/support/visitor.ts';

const EVERYONE_EXISTS = { notFoundShare: 0 };
const LOOKUPS = 10;
/** Far more than it takes, and less than any connection is kept idle. */
const PROMPT_MS = 3_000;

/** Closes the app while lookups are under way. */
const closeUnderLoad = async (test: TestApp, agent: Agent) => {
  const origin = await listenPublicly(test);
  test.sandbox.faults.set({ latencyMs: 500 });
  const visits = await Promise.all(
    distinctIds(LOOKUPS).map(async (id) => visit(origin, { id, proof: await test.proof(), agent })),
  );
  await vi.waitFor(() => expect(test.app.pool.counts().inFlight).toBe(LOOKUPS));
  const closed = test.app.close();
  return { origin, closed, answers: Promise.all(visits.map(({ answer }) => answer)) };
};

describe('closing the app', () => {
  it('turns readiness off, takes nothing new, and answers what is under way', async () => {
    await using test = await startTestApp({ tokens: LOOKUPS, sandbox: EVERYONE_EXISTS });
    expect((await readAdmin(test.app, '/readyz')).status).toBe(200);
    const { origin, closed, answers } = await closeUnderLoad(test, new Agent({ keepAlive: false }));
    const readiness = await readAdmin(test.app, '/readyz');
    expect([readiness.status, JSON.parse(readiness.text).ready]).toEqual([503, false]);
    await expect(request(`${origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    for (const { status, body } of await test.settle(answers)) {
      expect([status, typeof JSON.parse(body).username]).toEqual([200, 'string']);
    }
    await closed;
    expect(test.app.admin.listening).toBe(false);
  });

  // Behind a proxy idle connections are kept for longer than a shutdown may take.
  it.each([{}, { TRUSTED_PROXIES: '127.0.0.1/32' }])(
    'does not wait for connections that are kept open for a next request (%j)',
    async (env) => {
      await using test = await startTestApp({ tokens: LOOKUPS, sandbox: EVERYONE_EXISTS, env });
      const agent = new Agent({ keepAlive: true });
      const { closed, answers } = await closeUnderLoad(test, agent);
      try {
        const connections = (await test.settle(answers)).map(({ headers }) => headers['connection']);
        expect(connections).toEqual(Array(LOOKUPS).fill('close'));
        expect(await Promise.race([closed.then(() => 'in time'), delay(PROMPT_MS, 'too late')])).toBe(
          'in time',
        );
      } finally {
        agent.destroy();
      }
    },
  );
});
