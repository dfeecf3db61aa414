// @module-tag slow
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { countVerdicts, distinctIds, lookUpAll, verdictOf } from '#test/support/many-lookups.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };
const TEN_MINUTES_MS = 600_000;

/** So many lookups a second, each for another id. */
const underLoad = async (
  test: TestApp,
  { seconds, perSecond }: { seconds: number; perSecond: number },
): Promise<LightMyRequestResponse[]> => {
  const answers: Promise<LightMyRequestResponse>[] = [];
  for (let second = 0; second < seconds; second += 1) {
    for (const id of distinctIds(perSecond, 1_000_000 + test.system.clock.monotonicMs() * perSecond)) {
      answers.push(test.lookUp(id));
    }
    await test.pass(1_000, 500);
  }
  return test.settle(Promise.all(answers));
};

describe('six hundred tokens that are revoked at once', () => {
  it('cost a few invalid requests, and one fresh token brings lookups back at its full rate', async () => {
    await using test = await startTestApp({ tokens: 600, sandbox: EVERYONE_EXISTS, drawsZero: true });
    expect(countVerdicts(await underLoad(test, { seconds: 2, perSecond: 40 }))).toEqual({ 200: 80 });
    test.sandbox.revokeAll();

    // More lookups than tokens: had each tried one, all would have been.
    const answers = await underLoad(test, { seconds: 100, perSecond: 7 });
    expect(answers).toHaveLength(700);
    expect(answers.filter(({ statusCode }) => statusCode !== 503)).toEqual([]);
    expect(answers.every((answer) => Number(answer.headers['retry-after']) >= 1)).toBe(true);
    expect(test.sandbox.stats().invalid).toBeGreaterThan(0);
    expect(test.sandbox.stats().invalid).toBeLessThanOrEqual(500);

    const freshMs = test.system.clock.monotonicMs();
    test.addToken(2_000);
    expect(verdictOf(await test.settle(test.lookUp(ID), 1_000))).toBe('200');
    expect(test.system.clock.monotonicMs() - freshMs).toBeLessThanOrEqual(1_000);

    const revived = countVerdicts(await underLoad(test, { seconds: 60, perSecond: 5 }));
    // A bucket of 30 that gains one a second gives about 90 in a minute.
    expect(revived['200']).toBeGreaterThanOrEqual(80);
    await test.pass(Math.max(0, TEN_MINUTES_MS - test.system.clock.monotonicMs()), 5_000);
    expect(test.sandbox.stats().invalid).toBeLessThanOrEqual(500);
  });
});

describe('the count of invalid requests', () => {
  it('stops everything before the platform would, and outlives the process', async () => {
    using folder = temporaryFolder();
    const options = { sandbox: EVERYONE_EXISTS, dataDir: folder.path, drawsZero: true };
    {
      await using test = await startTestApp({ ...options, tokens: 300, env: { EGRESS_PER_SECOND: '1000' } });
      test.sandbox.faults.set({ globalRateLimit: true });
      await lookUpAll(test, distinctIds(300));
      expect(test.sandbox.stats().invalid).toBe(500);
      expect(verdictOf(await test.lookUp(ID))).toBe('503 platform-paused');
    }
    await using test = await startTestApp(options);
    const refused = await test.lookUp(ID);
    expect(verdictOf(refused)).toBe('503 platform-paused');
    const { retry_after } = refused.json<{ retry_after: number }>();
    expect(retry_after).toBeLessThanOrEqual(TEN_MINUTES_MS / 1_000 + 10);
    expect(test.sandbox.stats().requests).toBe(0);
    await test.system.advance(retry_after * 1_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  });
});
