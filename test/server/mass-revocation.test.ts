// @module-tag slow
import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

/** Seven lookups a second, each for another id. */
const underLoad = async (test: TestApp, seconds: number): Promise<LightMyRequestResponse[]> => {
  const answers: Promise<LightMyRequestResponse>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    answers.push(...distinctIds(7, second * 7).map((id) => test.lookUp(id)));
    await test.pass(1_000, 500);
  }
  return test.settle(Promise.all(answers));
};

it('six hundred tokens revoked at once cost few invalid requests, and one fresh token serves at once', async () => {
  await using test = await startTestApp({ tokens: 600, sandbox: { notFoundShare: 0 }, drawsZero: true });
  test.sandbox.revokeAll();
  // More lookups than tokens: had each tried one, all would have been.
  const answers = await underLoad(test, 100);
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  expect(answers.every((answer) => Number(answer.headers['retry-after']) >= 1)).toBe(true);
  expect(test.sandbox.stats().invalid).toBeGreaterThan(0);
  expect(test.sandbox.stats().invalid).toBeLessThan(500);
  test.addToken(2_000);
  expect(verdictOf(await test.settle(test.lookUp('441997505123577857'), 1_000))).toBe('200');
});
