import { expect, it, vi } from 'vitest';
import { readMetrics } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from './visitor.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

const readMetric = async ({ app }: TestApp, series: string): Promise<number> =>
  (await readMetrics(app)).get(series) ?? 0;

const becomes = (read: () => number | Promise<number>, expected: number): Promise<void> =>
  vi.waitFor(async () => expect(await read()).toBe(expected), EVENTUALLY);

it('visitors who leave while they wait for a token take their question with them, if nobody else asks it', async () => {
  await using test = await startTestApp({ tokens: 1, sandbox: EVERYONE_EXISTS, drawsZero: true });
  const origin = await listenPublicly(test);
  test.sandbox.faults.set({ hang: { value: true, count: 1 } });
  const stuck = test.lookUp(ID);
  await becomes(() => test.sandbox.stats().requests, 1);

  const [wanted = '', unwanted = ''] = distinctIds(2);
  const visitTo = async (id: string) => visit(origin, { id, proof: await test.proof() });
  const staying = await visitTo(wanted);
  const leaving = [await visitTo(wanted), await visitTo(unwanted)];
  await becomes(() => readMetric(test, 'whoflake_profile_cache_requests_total{result="miss"}'), 4);
  expect(test.app.pool.counts()).toMatchObject({ inFlight: 1, waiting: 2 });
  for (const visitor of leaving) visitor.leave();
  await becomes(() => test.app.pool.counts().waiting, 1);

  test.addToken(1);
  expect((await test.settle(staying.answer)).status).toBe(200);
  // The stuck one is given up and asked once more.
  expect(verdictOf(await test.settle(stuck))).toBe('200');
  expect(test.sandbox.stats().requests).toBe(1 + 2);
  expect(test.logs()).not.toContain('request-failed');
});
