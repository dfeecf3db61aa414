import { describe, expect, it, vi } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import {
  countVerdicts,
  distinctIds,
  lookUpAll,
  lookUpInTurn,
  verdictOf,
} from '#test/support/many-lookups.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

describe('a platform that answers with errors', () => {
  it.each([500, 503] as const)(
    'is asked with another token after a %i, and twice at most',
    async (status) => {
      await using test = await startTestApp({ tokens: 4 });
      test.sandbox.faults.set({ status: { value: status, count: 3 } });
      const failed = await test.settle(test.lookUp(ID));
      expect([failed.statusCode, failed.json()]).toEqual([
        502,
        { error: 'Discord isn’t answering properly. Please try again.', code: 'platform-failed' },
      ]);
      expect(test.sandbox.stats().requests).toBe(2);
      await test.system.advance(1_000);
      expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
      expect(test.sandbox.stats().byStatus).toEqual({ [status]: 3, 200: 1 });
      expect(Object.values(test.sandbox.stats().byBot)).toEqual([1, 1, 1, 1]);
    },
  );

  it('gets a tenth more requests at most from retries, and one a second', async () => {
    await using test = await startTestApp({ tokens: 50, sandbox: EVERYONE_EXISTS });
    // Every other answer is good, so the breaker stays closed and only the budget holds retries back.
    const verdicts: string[] = [];
    for (let second = 0; second < 10; second += 1) {
      test.sandbox.faults.set({ status: { value: 500, count: 4 } });
      verdicts.push(...(await lookUpAll(test, distinctIds(10, second * 10))).map(verdictOf));
      test.sandbox.faults.clear();
      await lookUpInTurn(test, distinctIds(1, 500 + second));
    }
    const { requests } = test.sandbox.stats();
    const elapsedSeconds = test.system.clock.monotonicMs() / 1_000;
    expect(verdicts).toContain('502 platform-failed');
    expect(requests).toBeGreaterThan(110);
    expect(requests).toBeLessThanOrEqual(110 + 11 + Math.ceil(elapsedSeconds));
  });

  it('is left alone when it keeps failing, then probed by a single request, and used again once that is answered', async () => {
    await using test = await startTestApp({ tokens: 50, sandbox: EVERYONE_EXISTS });
    test.sandbox.faults.set({ status: 500 });
    const answers = await lookUpInTurn(test, distinctIds(50));
    const counts = countVerdicts(answers);
    expect(counts['503 platform-paused']).toBeGreaterThan(35);
    expect((counts['502 platform-failed'] ?? 0) + (counts['503 platform-paused'] ?? 0)).toBe(50);
    expect(test.sandbox.stats().requests).toBeLessThanOrEqual(12);
    const paused = answers.find(({ statusCode }) => statusCode === 503);
    expect(paused?.json().retry_after).toBeGreaterThanOrEqual(1);
    expect(paused?.headers['retry-after']).toBe(String(paused?.json().retry_after));

    const before = test.sandbox.stats().requests;
    test.sandbox.faults.clear();
    test.sandbox.faults.set({ hang: { value: true, count: 1 } });
    await test.system.advance(30_000);
    const hopeful = Promise.all(distinctIds(20, 100).map((id) => test.lookUp(id)));
    await test.pass(3_000);
    expect(test.sandbox.stats().requests).toBe(before + 1);
    expect(test.app.pool.counts()).toMatchObject({ inFlight: 1, waiting: 19 });
    expect(countVerdicts(await test.settle(hopeful, 10_000))).not.toHaveProperty('200');
    await test.system.advance(30_000);
    expect(countVerdicts(await lookUpAll(test, distinctIds(20, 150)))).toEqual({ 200: 20 });
  });
});

it('a platform that is down fails lookups, then pauses them, serves the cache meanwhile, and is found again', async () => {
  await using test = await startTestApp({ tokens: 10, sandbox: EVERYONE_EXISTS });
  await test.lookUp(ID);
  await test.sandbox.close();
  await test.system.advance(30_000);
  const verdicts = (await lookUpInTurn(test, distinctIds(10))).map(verdictOf);
  expect([verdicts[0], verdicts.at(-1)]).toEqual(['502 platform-failed', '503 platform-paused']);
  const cached = await test.lookUp(ID);
  expect([cached.statusCode, cached.json().username]).toEqual([200, 'marlow.finch']);
  expect(Number(cached.headers['age'])).toBeGreaterThanOrEqual(30);

  await test.sandbox.listen({ port: Number(new URL(test.platformUrls.apiUrl).port) });
  await test.system.advance(30_000);
  expect((await lookUpInTurn(test, distinctIds(5))).map(verdictOf)).toEqual(Array(5).fill('200'));
});

it.each<[string, FaultSettings]>([
  ['never answers', { hang: true }],
  ['sends its body byte by byte', { drip: 1_000 }],
])('a platform that %s is given up within ten seconds, for those in the queue as well', async (_, faults) => {
  await using test = await startTestApp({ tokens: 1 });
  test.sandbox.faults.set(faults);
  const all = Promise.all(distinctIds(50).map((id) => test.lookUp(id)));
  const counts = countVerdicts(await test.settle(all, 10_000));
  expect(Object.keys(counts).toSorted()).toEqual(['503 pool-busy', '504 platform-timeout']);
  expect(test.system.clock.monotonicMs()).toBeLessThan(10_000);
  expect(test.app.pool.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
  test.sandbox.faults.clear();
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
});

it.each<[string, FaultSettings]>([
  ['cut short', { truncate: true }],
  ['broken off by a reset', { reset: true }],
  ['an HTML page', { html200: true }],
  ['a gzip bomb', { gzipBomb: true }],
  ['five megabytes', { oversize: true }],
  ['empty', { rawBody: '' }],
  ['two objects', { rawBody: `{"id":"${ID}","username":"x"}{}` }],
  ['deeply nested', { rawBody: '['.repeat(30_000) }],
  ['without a name', { rawBody: `{"id":"${ID}"}` }],
  ['with a number for an id', { merge: { id: 441_997_505_123_577_860 } }],
])('an answer that is %s and no profile gives 502, and nothing of it stays', async (_, faults) => {
  await using test = await startTestApp({ tokens: 3 });
  test.sandbox.faults.set(faults);
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('502 platform-failed');
  const { inFlight, healthy, cooling } = test.app.pool.counts();
  expect([inFlight, healthy + cooling]).toEqual([0, 3]);
  test.sandbox.faults.clear();
  await test.system.advance(1_000);
  expect((await test.settle(test.lookUp(ID))).json()).toMatchObject({ username: 'marlow.finch' });
});

it('an answer about somebody else is not shown, not kept, and the token that brought it is asked about', async () => {
  await using test = await startTestApp({ tokens: 2 });
  test.sandbox.faults.set({ wrongId: { value: true, count: 1 } });
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('502 platform-failed');
  expect(test.sandbox.stats().routes['users/{id}']).toBe(1);
  const next = await test.settle(test.lookUp(ID));
  expect([next.statusCode, next.json().username]).toEqual([200, 'marlow.finch']);
  await vi.waitFor(() => expect(test.app.pool.counts().suspect).toBe(0), EVENTUALLY);
  expect(test.sandbox.stats().routes).toEqual({ 'users/{id}': 2, 'users/@me': 1 });
});
