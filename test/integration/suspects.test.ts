// @module-tag slow
import { describe, expect, it } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { countVerdicts, distinctIds, lookUpInTurn, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const json = (status: number, body: object) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});
const REFUSED = json(401, { message: '401: Unauthorized', code: 0 });

const startWithDonations = async (count: number): Promise<TestApp> => {
  const test = await startTestApp({ tokens: 0, sandbox: EVERYONE_EXISTS });
  for (let n = 0; n < count; n += 1) expect((await donate(test, test.sandbox.mintToken(n))).status).toBe(201);
  return test;
};

const stored = async ({ records }: TestApp): Promise<number> => (await records.donatedTokens.all()).length;
const questions = ({ sandbox }: TestApp) => sandbox.stats().routes['users/@me'] ?? 0;

describe('a token that is refused once', () => {
  it('is set aside, asked about itself, and used again at once', async () => {
    await using test = await startWithDonations(1);
    const before = questions(test);
    test.sandbox.faults.set({ answer: { value: REFUSED, count: 1, route: 'users/{id}' } });
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
    expect(questions(test)).toBe(before + 1);
  });

  it('and once more within a minute rests for one, although the platform vouches for it', async () => {
    await using test = await startWithDonations(1);
    test.sandbox.faults.set({ answer: { value: REFUSED, count: 2, route: 'users/{id}' } });
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('503 pool-busy');
    await test.pass(MINUTE_MS, 1_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
    expect(test.sandbox.stats().byStatus[401]).toBe(2);
  });

  it('is kept, out of use, for as long as the platform does not say anything about it', async () => {
    await using test = await startWithDonations(1);
    test.sandbox.faults.set({
      answer: { value: REFUSED, count: 1, route: 'users/{id}' },
      status: { value: 502, route: 'users/@me' },
    });
    await test.settle(test.lookUp(ID));
    await test.pass(HOUR_MS, 30_000);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 1 });
    expect(await stored(test)).toBe(1);
    expect(questions(test)).toBeLessThan(80);
    test.sandbox.faults.clear();
    await test.pass(10 * MINUTE_MS, 5_000);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 1, suspect: 0 });
  });

  it('and whenever it is asked about itself stays on hold, and is gone after three days, row and all', async () => {
    await using test = await startWithDonations(2);
    test.sandbox.revoke(test.sandbox.mintToken(0));
    expect(countVerdicts(await lookUpInTurn(test, distinctIds(3)))).toEqual({ 200: 3 });
    await test.pass(HOUR_MS, 30_000);
    expect(await stored(test)).toBe(2);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 1, suspect: 1 });
    expect(test.sandbox.stats().byStatus[401]).toBeLessThan(25);
    await test.retiredBecomes(1);
    expect(await stored(test)).toBe(1);
  });

  it('and is withdrawn while it is on hold never comes back', async () => {
    await using test = await startWithDonations(1);
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

describe('a good token that is offered while the platform is mistaken', () => {
  it('is taken an hour later', async () => {
    await using test = await startTestApp({ tokens: 0 });
    test.sandbox.faults.set({ answer: { value: REFUSED, count: 1 } });
    const token = test.sandbox.mintToken(1);
    expect((await donate(test, token)).body['code']).toBe('token-rejected');
    expect((await donate(test, token)).body['code']).toBe('token-rejected');
    await test.system.advance(HOUR_MS + 1_000);
    expect((await donate(test, token)).status).toBe(201);
  });
});
