import { describe, expect, it } from 'vitest';
import {
  countVerdicts,
  distinctIds,
  lookUpAll,
  lookUpInTurn,
  verdictOf,
} from '#test/support/many-lookups.ts';
import { startTestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const EVERYONE_EXISTS = { notFoundShare: 0 };

describe('a token that is revoked', () => {
  it('while several of its requests are under way is retired once, and the lookups move on', async () => {
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
    expect(test.sandbox.stats().byStatus).toEqual({ 200: 3 + 8, 401: 4 + 1 });
    expect(test.app.pool.counts()).toMatchObject({ healthy: 1 });
    await test.retiredBecomes(1);
    expect(test.logs().match(/token-retired/g)).toHaveLength(1);
  });

  it('is never tried again', async () => {
    await using test = await startTestApp({ tokens: 2, sandbox: EVERYONE_EXISTS });
    test.sandbox.revoke(test.sandbox.mintToken(0));
    for (let hour = 0; hour < 24; hour += 1) {
      expect(countVerdicts(await lookUpAll(test, distinctIds(5, hour * 5)))).toEqual({ 200: 5 });
      await test.system.advance(3_600_000);
    }
    // Once by the lookup that it failed, once when it was asked about itself.
    expect(test.sandbox.stats().byStatus[401]).toBe(2);
  });
});

describe('a pool without any token', () => {
  it('says so from the start, and serves with the first token that comes', async () => {
    await using test = await startTestApp({ tokens: 0 });
    const response = await test.lookUp(ID);
    expect([response.statusCode, response.headers['retry-after'], response.json()]).toEqual([
      503,
      '60',
      {
        error: "We're out of working lookup tokens. Donate a bot token to bring lookups back.",
        code: 'pool-empty',
        retry_after: 60,
      },
    ]);
    test.addToken(0);
    expect(verdictOf(await test.lookUp(ID))).toBe('200');
  });

  it('because all were revoked says so, and is revived by a fresh token', async () => {
    await using test = await startTestApp({ tokens: 3, sandbox: EVERYONE_EXISTS });
    test.sandbox.revokeAll();
    const answers = await lookUpInTurn(test, distinctIds(10));
    expect(countVerdicts(answers.slice(1))).toEqual({ '503 pool-empty': 9 });
    expect(answers.every((answer) => answer.json<{ retry_after: number }>().retry_after >= 1)).toBe(true);
    expect(test.sandbox.stats().byStatus).toEqual({ 401: 3 + 3 });
    // The same bot with its new token counts as fresh.
    test.addToken(0);
    expect(countVerdicts(await lookUpInTurn(test, distinctIds(5)))).toEqual({ 200: 5 });
  });
});
