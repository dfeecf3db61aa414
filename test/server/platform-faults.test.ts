import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import {
  countVerdicts,
  distinctIds,
  lookUpAll,
  lookUpInTurn,
  verdictOf,
} from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

/** Fails five times in a row, which is what opens the breaker. */
const openBreaker = async (test: TestApp): Promise<void> => {
  await lookUpAll(test, distinctIds(5, 900));
};

describe('a platform that answers with errors', () => {
  it.each([500, 502, 503, 504] as const)('is asked with another token after a %i', async (status) => {
    await using test = await startTestApp({ tokens: 2 });
    test.sandbox.faults.set({ status: { value: status, count: 1 } });
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
    expect(test.sandbox.stats().byStatus).toEqual({ [status]: 1, 200: 1 });
    expect(Object.values(test.sandbox.stats().byBot)).toEqual([1, 1]);
  });

  it('is asked twice and no more', async () => {
    await using test = await startTestApp({ tokens: 4 });
    test.sandbox.faults.set({ status: 500 });
    const response = await test.settle(test.lookUp(ID));
    expect([response.statusCode, response.json()]).toEqual([
      502,
      { error: 'Discord isn’t answering properly. Please try again.', code: 'platform-failed' },
    ]);
    expect(test.sandbox.stats().requests).toBe(2);
  });

  it('gets a tenth more requests at most from retries, and one a second', async () => {
    await using test = await startTestApp({ tokens: 50, sandbox: { notFoundShare: 0 } });
    // Every other answer is good, so the breaker stays closed and only the budget holds retries back.
    const verdicts: string[] = [];
    for (let second = 0; second < 10; second += 1) {
      test.sandbox.faults.set({ status: { value: 500, count: 4 } });
      const answers = await lookUpAll(test, distinctIds(10, second * 10));
      verdicts.push(...answers.map(verdictOf));
      test.sandbox.faults.clear();
      await lookUpInTurn(test, distinctIds(1, 500 + second));
    }
    const { requests } = test.sandbox.stats();
    const elapsedSeconds = test.system.clock.monotonicMs() / 1_000;
    expect(verdicts).toContain('502 platform-failed');
    expect(requests).toBeGreaterThan(110);
    expect(requests).toBeLessThanOrEqual(110 + 11 + Math.ceil(elapsedSeconds));
  });

  it('is left alone when it keeps failing, and is told of by 503 with the time of the next try', async () => {
    await using test = await startTestApp({ tokens: 50 });
    test.sandbox.faults.set({ status: 500 });
    const answers = await lookUpInTurn(test, distinctIds(100));
    const counts = countVerdicts(answers);
    expect(counts['503 platform-paused']).toBeGreaterThan(80);
    expect((counts['502 platform-failed'] ?? 0) + (counts['503 platform-paused'] ?? 0)).toBe(100);
    expect(test.sandbox.stats().requests).toBeLessThanOrEqual(12);
    const paused = answers.find(({ statusCode }) => statusCode === 503);
    expect(paused?.json().retry_after).toBeGreaterThanOrEqual(1);
    expect(paused?.headers['retry-after']).toBe(String(paused?.json().retry_after));
  });

  it('is probed by a single request after the pause, and used again once the probe is answered', async () => {
    await using test = await startTestApp({
      tokens: 50,
      sandbox: { notFoundShare: 0 },
      env: { EGRESS_PER_SECOND: '1000' },
    });
    test.sandbox.faults.set({ status: 500 });
    await openBreaker(test);
    const before = test.sandbox.stats().requests;
    test.sandbox.faults.clear();
    test.sandbox.faults.set({ hang: { value: true, count: 1 } });
    await test.system.advance(1_000);
    const askedMs = test.system.clock.monotonicMs();
    const hopeful = Promise.all(distinctIds(20).map((id) => test.lookUp(id)));
    await test.pass(3_000);
    expect(test.sandbox.stats().requests).toBe(before + 1);
    expect(test.app.pool.counts()).toMatchObject({ inFlight: 1, waiting: 19 });
    const counts = countVerdicts(await test.settle(hopeful));
    expect(counts).toEqual({ '503 platform-paused': 19, '504 platform-timeout': 1 });
    expect(test.system.clock.monotonicMs() - askedMs).toBeLessThan(10_000);
    await test.system.advance(4_000);
    expect(countVerdicts(await lookUpAll(test, distinctIds(20, 50)))).toEqual({ 200: 20 });
  });
});

it('a platform that is down fails lookups, then pauses them, serves the cache meanwhile, and is found again', async () => {
  await using test = await startTestApp({ tokens: 10, sandbox: { notFoundShare: 0 } });
  await test.lookUp(ID);
  await test.sandbox.close();
  await test.system.advance(30_000);
  const verdicts = (await lookUpInTurn(test, distinctIds(10))).map(verdictOf);
  expect(verdicts[0]).toBe('502 platform-failed');
  expect(verdicts.at(-1)).toBe('503 platform-paused');
  const cached = await test.lookUp(ID);
  expect([cached.statusCode, cached.json().username]).toEqual([200, 'marlow.finch']);
  expect(Number(cached.headers['age'])).toBeGreaterThanOrEqual(30);

  await test.sandbox.listen({ port: Number(new URL(test.platformUrls.apiUrl).port) });
  await test.system.advance(30_000);
  expect((await lookUpInTurn(test, distinctIds(5))).map(verdictOf)).toEqual(Array(5).fill('200'));
});

describe('a platform that takes its time', () => {
  it.each<[string, FaultSettings]>([
    ['never answers', { hang: true }],
    ['sends its body byte by byte', { drip: 1_000 }],
    ['is slow', { latencyMs: 60_000 }],
  ])('and %s is given up within ten seconds', async (_, faults) => {
    await using test = await startTestApp({ tokens: 2 });
    test.sandbox.faults.set(faults);
    const response = await test.settle(test.lookUp(ID), 10_000);
    expect(verdictOf(response)).toBe('504 platform-timeout');
    expect(test.system.clock.monotonicMs()).toBeLessThan(10_000);
    expect(test.app.pool.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
    test.sandbox.faults.clear();
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  });

  it('keeps nobody waiting longer, not even those behind it in the queue', async () => {
    await using test = await startTestApp({ tokens: 1 });
    test.sandbox.faults.set({ hang: true });
    const finishedMs: number[] = [];
    const all = distinctIds(50).map(async (id) => {
      const response = await test.lookUp(id);
      finishedMs.push(test.system.clock.monotonicMs());
      return response;
    });
    const counts = countVerdicts(await test.settle(Promise.all(all)));
    // The token is free again once, after four seconds, while the others wait for five.
    expect(counts).toEqual({ '503 pool-busy': 48, '504 platform-timeout': 2 });
    expect(Math.max(...finishedMs)).toBeLessThan(10_000);
  });
});
