import { describe, expect, it } from 'vitest';
import { readAdmin } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { countVerdicts, distinctIds, lookUpInTurn, verdictOf } from '#test/support/many-lookups.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERYONE_EXISTS = { notFoundShare: 0 };
const REFUSED = {
  status: 401,
  contentType: 'application/json',
  body: '{"message":"401: Unauthorized","code":0}',
};

it('a token that is revoked while several of its requests are under way is retired once, and the lookups move on', async () => {
  await using test = await startTestApp({ tokens: 1, sandbox: EVERYONE_EXISTS });
  // Three answers teach the pool the token's budget; from then on it may have four requests under way.
  await lookUpInTurn(test, distinctIds(3));
  test.sandbox.faults.set({ latencyMs: { value: 2_000, count: 4 } });
  const lookups = Promise.all(distinctIds(8, 10).map((id) => test.lookUp(id)));
  await test.pass(200, 10);
  expect(test.app.pool.counts()).toMatchObject({ inFlight: 4, waiting: 4 });
  test.sandbox.revoke(test.sandbox.mintToken(0));
  test.addToken(1);
  expect(countVerdicts(await test.settle(lookups))).toEqual({ 200: 8 });
  // Each that was under way, and one check of the bot.
  expect(test.sandbox.stats().byStatus).toEqual({ 200: 3 + 8, 401: 4 + 1 });
  expect(test.app.pool.counts()).toMatchObject({ healthy: 1 });
  await test.retiredBecomes(1);
  expect(test.logs().match(/token-retired/g)).toHaveLength(1);
});

it('a dead token is named in the log as commands name it, and the own ones stay listed', async () => {
  await using test = await startTestApp({ tokens: 1, sandbox: EVERYONE_EXISTS });
  const { app, sandbox, records } = test;
  const lent = sandbox.mintToken(1);
  await donate(test, lent);
  const [row] = await records.donatedTokens.all();
  const readTokens = async () =>
    JSON.parse((await readAdmin(app, '/tokens')).text) as { bot: string; state: string; since: string }[];
  const [own] = (await readTokens()).map(({ bot }) => bot.slice(0, 8));
  for (const token of [sandbox.mintToken(0), lent]) sandbox.revoke(token);
  await lookUpInTurn(test, distinctIds(1));
  await test.retiredBecomes(2);
  expect(await records.donatedTokens.all()).toEqual([]);
  const ids = new Set([own, row?.id.slice(0, 8)]);
  for (const event of ['token-suspected', 'token-retired']) {
    const named = test.logs().matchAll(new RegExp(`"event":"${event}".*?"id":"(\\w{8})"`, 'g'));
    expect(new Set(named.map(([, id]) => id))).toEqual(ids);
  }
  expect(await readTokens()).toEqual([
    expect.objectContaining({ state: 'retired', since: expect.stringMatching(/^2026-/), requests: null }),
  ]);
});

it('a pool without any token says so from the start, and serves with the first token that comes', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const response = await test.lookUp(ID);
  expect(response.json()).toEqual({
    error: 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.',
    code: 'pool-empty',
    retry_after: 60,
  });
  const health = async (url: string) => {
    const { statusCode, body } = await test.app.server.inject(url);
    return [statusCode, body];
  };
  expect(await health('/healthz?lookups=1')).toEqual([503, 'lookups are paused: no-tokens']);
  expect(await health('/healthz')).toEqual([200, 'ok']);
  test.addToken(0);
  expect(await health('/healthz?lookups=1')).toEqual([200, 'ok']);
  expect(verdictOf(await test.lookUp(ID))).toBe('200');
});

describe('a token that is refused once', () => {
  const startWithDonation = async () => {
    const test = await startTestApp({ tokens: 0, sandbox: EVERYONE_EXISTS });
    expect((await donate(test, test.sandbox.mintToken(0))).status).toBe(201);
    return { ...test, questions: () => test.sandbox.stats().routes['users/@me'] ?? 0 };
  };

  it('is asked about itself and used again at once; refused again within a minute it rests for one', async () => {
    await using test = await startWithDonation();
    const before = test.questions();
    const verdicts = [];
    for (const id of distinctIds(2)) {
      test.sandbox.faults.set({ answer: { value: REFUSED, count: 1, route: 'users/{id}' } });
      verdicts.push(verdictOf(await test.settle(test.lookUp(id))));
    }
    expect([...verdicts, test.questions()]).toEqual(['200', '503 pool-busy', before + 2]);
    await test.pass(MINUTE_MS, 1_000);
    expect(verdictOf(await test.settle(test.lookUp(ID)))).toBe('200');
  });

  it('is kept, out of use, while the platform says nothing about it, and never comes back if it is withdrawn', async () => {
    await using test = await startWithDonation();
    test.sandbox.faults.set({
      answer: { value: REFUSED, count: 1, route: 'users/{id}' },
      status: { value: 502, route: 'users/@me' },
    });
    await test.settle(test.lookUp(ID));
    await test.pass(HOUR_MS, 30_000);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 1 });
    expect(await test.records.donatedTokens.all()).toHaveLength(1);
    expect(test.questions()).toBeLessThan(80);
    await withdraw(test, { token: test.sandbox.mintToken(0) });
    test.sandbox.faults.clear();
    const before = test.questions();
    await test.pass(HOUR_MS, 30_000);
    await test.app.refresh();
    expect(test.questions()).toBe(before);
    expect(test.app.pool.counts()).toMatchObject({ healthy: 0, suspect: 0 });
  });
});
