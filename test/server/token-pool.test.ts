import { expect, it, vi } from 'vitest';
import { readAdmin } from '#test/support/admin-client.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { countVerdicts, distinctIds, lookUpInTurn, verdictOf } from '#test/support/many-lookups.ts';
import { readConfig, startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

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
  const named = (event: string) =>
    new Set(
      test
        .logs()
        .matchAll(new RegExp(`"event":"${event}".*?"id":"(\\w{8})"`, 'g'))
        .map(([, id]) => id),
    );
  const ids = new Set([own, row?.id.slice(0, 8)]);
  for (const event of ['token-suspected', 'token-retired']) expect(named(event)).toEqual(ids);
  expect(await readTokens()).toEqual([
    expect.objectContaining({ state: 'retired', since: expect.stringMatching(/^2026-/), requests: null }),
  ]);
});

it('a pool without any token says so from the start, and serves with the first token that comes', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const response = await test.lookUp(ID);
  expect([response.statusCode, response.headers['retry-after'], response.json()]).toEqual([
    503,
    '60',
    {
      error: 'Lookups are down: we’ve run out of bot tokens. You can help by donating one.',
      code: 'pool-empty',
      retry_after: 60,
    },
  ]);
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

it('a reload leaves a lent token in the pool whose bot was also one of the own', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const own = readConfig({ BOT_TOKENS: [1, 2].map(test.sandbox.mintToken).join() });
  expect((await donate(test, test.sandbox.mintToken(1))).status).toBe(201);
  expect(test.app.reload(own)).toEqual({ tokensAdded: 2, tokensRemoved: 0 });
  expect(test.app.pool.counts().healthy).toBe(2);
  expect(test.app.reload(readConfig({}))).toEqual({ tokensAdded: 0, tokensRemoved: 2 });
  await vi.waitFor(() => expect(test.app.pool.counts().healthy).toBe(1), EVENTUALLY);
  expect(await test.settle(test.lookUp(ID))).toMatchObject({ statusCode: 200 });
});
