import { describe, expect, it, vi } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { readMetrics } from '#test/support/admin-client.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { countVerdicts, distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { listenPublicly, visit } from './visitor.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

const readMetric = async ({ app }: TestApp, series: string): Promise<number> =>
  (await readMetrics(app)).get(series) ?? 0;

const becomes = (read: () => number | Promise<number>, expected: number): Promise<void> =>
  vi.waitFor(async () => expect(await read()).toBe(expected), EVENTUALLY);

it('many visitors who want the same profile share a failure too, but nobody after them does', async () => {
  await using test = await startTestApp({ tokens: 2, drawsZero: true });
  test.sandbox.faults.set({ status: { value: 500, count: 2 }, hang: { value: true, count: 1 } });
  const all = Promise.all(Array.from({ length: 100 }, () => test.lookUp(ID)));
  await becomes(() => readMetric(test, 'whoflake_profile_cache_requests_total{result="miss"}'), 100);
  expect(countVerdicts(await test.settle(all))).toEqual({ '502 platform-failed': 100 });
  expect(test.sandbox.stats().requests).toBe(2);
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
});

describe('visitors who leave', () => {
  it('while they wait for a token take their question with them, if nobody else asks it', async () => {
    // All of them through a proxy: one visitor may not have so many connections.
    const env = { TRUSTED_PROXIES: '127.0.0.1/32' };
    await using test = await startTestApp({ tokens: 1, sandbox: EVERYONE_EXISTS, drawsZero: true, env });
    const origin = await listenPublicly(test);
    test.sandbox.faults.set({ hang: { value: true, count: 1 } });
    const stuck = test.lookUp(ID);
    await becomes(() => test.sandbox.stats().requests, 1);

    // Two hundred visitors, ten for each of twenty ids.
    const visits = await Promise.all(
      distinctIds(20).flatMap((id) =>
        Array.from({ length: 10 }, async () => visit(origin, { id, proof: await test.proof() })),
      ),
    );
    await becomes(() => readMetric(test, 'whoflake_profile_cache_requests_total{result="miss"}'), 201);
    expect(test.app.pool.counts()).toMatchObject({ inFlight: 1, waiting: 20 });
    // All ten who asked for the first eight ids, and five each of those for the next four.
    const leaving = visits.filter((_, n) => n < 80 || (n < 120 && n % 2 === 0));
    for (const visitor of leaving) visitor.leave();
    await becomes(() => test.app.pool.counts().waiting, 12);

    for (const token of [1, 2, 3]) test.addToken(token);
    const staying = visits.filter((visitor) => !leaving.includes(visitor));
    const answers = await test.settle(Promise.all(staying.map(({ answer }) => answer)));
    expect([leaving.length, answers.length]).toEqual([100, 100]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    // The stuck one is given up and asked once more.
    expect(verdictOf(await test.settle(stuck))).toBe('200');
    expect(test.sandbox.stats().requests).toBe(12 + 2);
    expect(test.logs().includes('request-failed')).toBe(false);
  });

  it.each<[string, FaultSettings]>([
    ['an error', { status: 500 }],
    ['a profile', {}],
  ])(
    'before the platform answers with %s cost no second request, and leave the answer to the next',
    async (_, fault) => {
      await using test = await startTestApp({ tokens: 3 });
      const origin = await listenPublicly(test);
      test.sandbox.faults.set({ latencyMs: 300, ...fault });
      const visitor = visit(origin, { id: ID, proof: await test.proof() });
      await becomes(() => test.app.pool.counts().inFlight, 1);
      visitor.leave();
      await test.pass(10_000);
      expect(test.sandbox.stats().requests).toBe(1);
      test.sandbox.faults.clear();
      expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
      expect(test.sandbox.stats().requests).toBe('status' in fault ? 2 : 1);
      await expect(visitor.answer).rejects.toThrow();
    },
  );
});
