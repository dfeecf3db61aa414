import { describe, expect, it } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { distinctIds, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const REFUSED = {
  status: 401,
  contentType: 'application/json',
  body: '{"message":"401: Unauthorized","code":0}',
};

const startWithDonation = async (): Promise<TestApp> => {
  const test = await startTestApp({ tokens: 0, sandbox: { notFoundShare: 0 } });
  expect((await donate(test, test.sandbox.mintToken(0))).status).toBe(201);
  return test;
};

const questions = ({ sandbox }: TestApp) => sandbox.stats().routes['users/@me'] ?? 0;

describe('a token that is refused once', () => {
  it('is asked about itself and used again at once; refused again within a minute it rests for one', async () => {
    await using test = await startWithDonation();
    const before = questions(test);
    const verdicts = [];
    for (const id of distinctIds(2)) {
      test.sandbox.faults.set({ answer: { value: REFUSED, count: 1, route: 'users/{id}' } });
      verdicts.push(verdictOf(await test.settle(test.lookUp(id))));
    }
    expect([...verdicts, questions(test)]).toEqual(['200', '503 pool-busy', before + 2]);
    await test.pass(MINUTE_MS, 1_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  });

  it('is kept, out of use, for as long as the platform does not say anything about it', async () => {
    await using test = await startWithDonation();
    test.sandbox.faults.set({
      answer: { value: REFUSED, count: 1, route: 'users/{id}' },
      status: { value: 502, route: 'users/@me' },
    });
    await test.settle(test.lookUp(ID));
    await test.pass(HOUR_MS, 30_000);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 1 });
    expect(await test.records.donatedTokens.all()).toHaveLength(1);
    expect(questions(test)).toBeLessThan(80);
    test.sandbox.faults.clear();
    await test.pass(10 * MINUTE_MS, 5_000);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 1, suspect: 0 });
  });

  it('and is withdrawn while it is on hold never comes back', async () => {
    await using test = await startWithDonation();
    const token = test.sandbox.mintToken(0);
    test.sandbox.faults.set({ answer: { value: REFUSED } });
    await test.settle(test.lookUp(ID));
    await withdraw(test, { token });
    test.sandbox.faults.clear();
    const before = questions(test);
    await test.pass(HOUR_MS, 30_000);
    await test.app.refresh();
    expect(questions(test)).toBe(before);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 0 });
  });
});
