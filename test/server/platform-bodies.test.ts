import { afterEach, expect, it, vi } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, useTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
/** Longer than a profile is kept. */
const KEPT_MS = 3_600_000;

const test = await useTestApp({ tokens: 3 });
afterEach(async () => {
  test.sandbox.faults.clear();
  await test.system.advance(KEPT_MS);
});

const UNUSABLE: readonly [string, FaultSettings][] = [
  ['cut short', { truncate: true }],
  ['broken off by a reset', { reset: true }],
  ['an HTML page', { html200: true }],
  ['a gzip bomb', { gzipBomb: true }],
  ['five megabytes', { oversize: true }],
  ['empty', { rawBody: '' }],
  ['null', { rawBody: 'null' }],
  ['two objects', { rawBody: `{"id":"${ID}","username":"x"}{}` }],
  ['not JSON', { rawBody: '<?xml version="1.0"?><user/>' }],
  ['deeply nested', { rawBody: '['.repeat(30_000) }],
  ['without a name', { rawBody: `{"id":"${ID}"}` }],
  ['without an id', { rawBody: '{"username":"x"}' }],
  ['with a number for an id', { merge: { id: 441_997_505_123_577_860 } }],
  ['with a list for a name', { merge: { username: ['a'] } }],
];

it.each(UNUSABLE)(
  'an answer that is %s and no profile gives 502, and nothing of it stays',
  async (_, faults) => {
    test.sandbox.faults.set(faults);
    const response = await test.settle(test.lookUp(ID));
    expect([response.statusCode, response.json()]).toEqual([
      502,
      { error: 'Discord isn’t answering properly. Please try again.', code: 'platform-failed' },
    ]);
    const { inFlight, healthy, cooling } = test.app.pool.counts();
    expect([inFlight, healthy + cooling]).toEqual([0, 3]);
    test.sandbox.faults.clear();
    expect((await test.settle(test.lookUp(ID))).json()).toMatchObject({ username: 'marlow.finch' });
  },
);

it('an answer about somebody else is not shown, not kept, and the token that brought it is asked about', async () => {
  await using own = await startTestApp({ tokens: 2 });
  own.sandbox.faults.set({ wrongId: { value: true, count: 1 } });
  expect(verdictOf(await own.settle(own.lookUp(ID)))).toBe('502 platform-failed');
  expect(own.sandbox.stats().routes['users/{id}']).toBe(1);
  const next = await own.settle(own.lookUp(ID));
  expect([next.statusCode, next.json().username]).toEqual([200, 'marlow.finch']);
  await vi.waitFor(() => expect(own.app.pool.counts().suspect).toBe(0), EVENTUALLY);
  expect(own.sandbox.stats().routes).toEqual({ 'users/{id}': 2, 'users/@me': 1 });
});
