import { expect, it, vi } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { distinctIds, lookUpInTurn, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

it('a platform that answers with an error is asked with another token, and twice at most', async () => {
  await using test = await startTestApp({ tokens: 4 });
  test.sandbox.faults.set({ status: { value: 503, count: 3 } });
  const failed = await test.settle(test.lookUp(ID));
  expect([failed.statusCode, failed.json()]).toEqual([
    502,
    { error: 'Discord isn’t answering properly. Try again.', code: 'platform-failed' },
  ]);
  expect(test.sandbox.stats().requests).toBe(2);
  await test.system.advance(1_000);
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  expect(Object.values(test.sandbox.stats().byBot)).toEqual([1, 1, 1, 1]);
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
  ['cut short', { truncate: true }],
  ['an HTML page', { html200: true }],
  ['a gzip bomb', { gzipBomb: true }],
  ['five megabytes', { oversize: true }],
  ['two objects', { rawBody: `{"id":"${ID}","username":"x"}{}` }],
  ['deeply nested', { rawBody: '['.repeat(30_000) }],
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
