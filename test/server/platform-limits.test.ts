import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '#sandbox/faults/faults.ts';
import { readReadiness } from '#test/support/admin-client.ts';
import {
  countVerdicts,
  distinctIds,
  lookUpAll,
  lookUpInTurn,
  verdictOf,
} from '#test/support/many-lookups.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

const botIdOf = (token: string): string => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();

describe('a 429 of the platform for one token', () => {
  it.each<[string, (token: string) => FaultSettings, number]>([
    ['of its own bucket', (token) => ({ userRateLimit: { value: 80_500, count: 1, token } }), 1],
    ['over all routes', (token) => ({ globalRateLimit: { value: 80_500, count: 1, token } }), 1],
    ['of a shared resource', (token) => ({ sharedRateLimit: { value: 80_500, count: 1, token } }), 0],
  ])(
    '%s moves the lookup to another token and rests this one for as long as asked',
    async (_, faults, invalid) => {
      await using test = await startTestApp({ tokens: 3, sandbox: EVERYONE_EXISTS });
      const limited = test.sandbox.mintToken(1);
      const uses = (): number => test.sandbox.stats().byBot[botIdOf(limited)] ?? 0;
      test.sandbox.faults.set(faults(limited));
      expect(countVerdicts(await lookUpInTurn(test, distinctIds(3)))).toEqual({ 200: 3 });
      expect(test.sandbox.stats().byStatus).toEqual({ 200: 3, 429: 1 });
      expect((await readReadiness(test.app)).body['invalid_requests']).toBe(invalid);
      const limitedAtMs = test.system.clock.monotonicMs();
      expect(countVerdicts(await lookUpAll(test, distinctIds(20, 10)))).toEqual({ 200: 20 });
      await test.system.advance(80_000 - (test.system.clock.monotonicMs() - limitedAtMs));
      expect(countVerdicts(await lookUpAll(test, distinctIds(4, 40)))).toEqual({ 200: 4 });
      expect(uses()).toBe(1);
      await test.system.advance(1_000);
      await lookUpAll(test, distinctIds(20, 50));
      expect(uses()).toBeGreaterThan(1);
    },
  );

  it('that asks for almost a day is believed', async () => {
    await using test = await startTestApp();
    test.sandbox.faults.set({ userRateLimit: { value: 82_721_000, count: 1 } });
    const response = await test.settle(test.lookUp(ID));
    expect(verdictOf(response)).toBe('503 pool-busy');
    expect(response.json().retry_after).toBeGreaterThanOrEqual(82_721);
    await test.system.advance(82_000_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('503 pool-busy');
    await test.system.advance(722_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  });
});

it('a storm of 429 on all tokens costs one request per token; everybody else is told at once when to come back', async () => {
  await using test = await startTestApp({ tokens: 20, sandbox: EVERYONE_EXISTS, drawsZero: true });
  test.sandbox.faults.set({ userRateLimit: 60_000 });
  const storm: Awaited<ReturnType<typeof lookUpAll>> = [];
  for (let second = 0; second < 3; second += 1) {
    storm.push(...(await lookUpAll(test, distinctIds(60, second * 60))));
    expect(test.app.pool.counts().waiting).toBe(0);
    await test.system.advance(1_000);
  }
  expect(countVerdicts(storm)).toEqual({ '503 pool-busy': 180 });
  expect(test.sandbox.stats().requests).toBe(20);
  const last = storm.at(-1)?.json<{ retry_after: number }>().retry_after ?? 0;
  expect(last).toBeGreaterThan(50);
  expect(last).toBeLessThan(60);
  test.sandbox.faults.clear();
  await test.system.advance(last * 1_000);
  expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
});

describe('a ban of our address', () => {
  it('stops everything for ten minutes, also in the next process, then a single probe asks again', async () => {
    using folder = temporaryFolder();
    {
      await using test = await startTestApp({ dataDir: folder.path, tokens: 2, sandbox: EVERYONE_EXISTS });
      // Answers to earlier requests still come in.
      const [banned, slow] = [test.sandbox.mintToken(0), test.sandbox.mintToken(1)];
      const latencyMs = { value: 60, token: slow };
      test.sandbox.faults.set({ ban: { value: 'json', token: banned }, latencyMs });
      const verdicts = (await lookUpAll(test, distinctIds(2))).map(verdictOf);
      expect(verdicts.toSorted()).toEqual(['200', '503 platform-paused']);
    }
    await using test = await startTestApp({ dataDir: folder.path, tokens: 10, sandbox: EVERYONE_EXISTS });
    const first = await test.settle(test.lookUp(ID));
    expect([verdictOf(first), first.json().retry_after > 500]).toEqual(['503 platform-paused', true]);
    await test.system.advance(first.json().retry_after * 1_000 - 10_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('503 platform-paused');
    expect(test.sandbox.stats().requests).toBe(0);

    test.sandbox.faults.set({ ban: 'html' });
    await test.system.advance(20_000);
    const probing = await lookUpAll(test, distinctIds(20, 100));
    expect(countVerdicts(probing)).toEqual({ '503 platform-paused': 20 });
    expect(test.sandbox.stats().requests).toBe(1);

    test.sandbox.faults.clear();
    // The pause is lengthened by up to a tenth, by chance.
    await test.system.advance(661_000);
    expect(countVerdicts(await lookUpAll(test, distinctIds(10, 200)))).toEqual({ 200: 10 });
  });
});

it(
  'the count of invalid requests stops everything before the platform would, and outlives the process',
  { tags: 'slow' },
  async () => {
    using folder = temporaryFolder();
    const options = { sandbox: EVERYONE_EXISTS, dataDir: folder.path, drawsZero: true };
    {
      await using test = await startTestApp({ ...options, tokens: 600, env: { EGRESS_PER_SECOND: '1000' } });
      test.sandbox.faults.set({ globalRateLimit: true });
      await lookUpAll(test, distinctIds(300));
      expect(test.sandbox.stats().invalid).toBe(500);
      expect(verdictOf(await test.lookUp(ID))).toBe('503 platform-paused');
    }
    await using test = await startTestApp(options);
    const refused = await test.lookUp(ID);
    expect(verdictOf(refused)).toBe('503 platform-paused');
    const { retry_after } = refused.json<{ retry_after: number }>();
    expect(retry_after).toBeLessThanOrEqual(610);
    expect(test.sandbox.stats().requests).toBe(0);
    await test.system.advance(retry_after * 1_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  },
);
