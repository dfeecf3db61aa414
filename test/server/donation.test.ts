import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { donate, postAsDonor, withdraw } from '#test/support/donor.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp, type TestAppOptions } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const start = (options: TestAppOptions = {}) => startTestApp({ tokens: 0, ...options });

describe('a donation', () => {
  it('§7, 200 is verified, kept, thanked for with a receipt, and serves lookups at once', async () => {
    await using test = await start();
    expect((await test.settle(test.lookUp(ID))).json().code).toBe('pool-empty');
    const { status, body } = await donate(test, ` Bot ${test.sandbox.mintToken(5)}\n`);
    expect([status, body['message']]).toEqual([
      201,
      'Token verified and saved. Thank you for helping keep the service alive!',
    ]);
    expect(body['receipt']).toMatch(/^WD(?:-[0-9A-Z]{1,5}){6}$/);
    expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
    expect(test.sandbox.stats().routes).toEqual({ 'users/@me': 1, 'applications/@me': 1, 'users/{id}': 1 });
    expect(Object.keys(test.sandbox.stats().schemes)).toEqual(['Bot']);
  });

  it.each([
    ['', 400, 'token-missing'],
    ['hello', 422, 'token-malformed'],
    ['mfa.abcdefghijklmnopqrstuvwxyz0123456789', 422, 'token-user'],
  ])('of %j is refused without asking the platform', async (token, status, code) => {
    await using test = await start();
    const answer = await donate(test, token);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(test.sandbox.stats().requests).toBe(0);
  });

  it('that is refused uses up none of the three an hour that an address may make, but one of ten attempts', async () => {
    await using test = await start();
    const { mintToken, revoke, setGuildCount, stats } = test.sandbox;
    const give = async (n: number, from: string) => {
      const { status, body } = await postAsDonor(test, '/donate-token', { token: mintToken(n), from });
      return body['code'] ?? status;
    };
    for (const n of [1, 2, 3]) revoke(mintToken(n));
    setGuildCount(mintToken(4), 1);
    const answers = [];
    for (const n of [1, 2, 3, 4, 5, 5, 6, 7]) answers.push(await give(n, '192.0.2.1'));
    const refused = ['token-rejected', 'token-rejected', 'token-rejected', 'token-in-servers'];
    expect(answers).toEqual([...refused, 201, 'token-known', 201, 201]);
    const { requests } = stats();
    expect([await give(8, '192.0.2.1'), stats().requests]).toEqual(['visitor-limit', requests]);

    for (let n = 21; n <= 31; n += 1) {
      revoke(mintToken(n));
      expect(await give(n, '198.51.100.1')).toBe(n <= 30 ? 'token-rejected' : 'visitor-limit');
    }
    expect(stats().requests).toBe(requests + 10);
  });

  it('of a token that is no bot’s, or of a bot in servers, is refused', async () => {
    await using test = await start();
    test.sandbox.faults.set({ merge: { value: { bot: false }, count: 1, route: 'users/@me' } });
    expect((await donate(test, test.sandbox.mintToken(1))).body['code']).toBe('token-user');
    test.sandbox.setGuildCount(test.sandbox.mintToken(2), 3);
    const inServers = await donate(test, test.sandbox.mintToken(2));
    expect([inServers.status, inServers.body['code']]).toEqual([409, 'token-in-servers']);
    expect(test.app.pool.counts().healthy).toBe(0);
  });

  it('of a bot in nobody knows how many servers may be tried again', async () => {
    await using test = await start();
    const merge = { value: { approximate_guild_count: '3' }, route: 'applications/@me' } as const;
    test.sandbox.faults.set({ merge });
    const token = test.sandbox.mintToken(1);
    const refused = await donate(test, token);
    expect([refused.status, refused.body['code']]).toEqual([503, 'donations-paused']);
    test.sandbox.faults.clear();
    expect((await donate(test, token)).status).toBe(201);
  });

  it('made twice, even at once, is checked and kept once; a reset token takes the place of the old one', async () => {
    await using test = await start();
    await donate(test, test.sandbox.mintToken(1));
    const { requests } = test.sandbox.stats();
    const token = test.sandbox.mintToken(2);
    const answers = await Promise.all([donate(test, token), donate(test, token)]);
    expect(new Set(answers.map(({ body }) => body['code']))).toEqual(new Set(['token-known', undefined]));
    expect((await donate(test, token)).body['code']).toBe('token-known');
    expect(test.sandbox.stats().requests).toBe(2 * requests);
    expect((await donate(test, test.sandbox.resetToken(token))).status).toBe(201);
    await test.app.refresh();
    expect(test.app.pool.counts().healthy).toBe(2);
    expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
  });

  it('§164, 182 needs a proof, in the words of the screen, and an operator who takes tokens', async () => {
    await using test = await start();
    const body = { token: test.sandbox.mintToken(1), proof: '' };
    const answer = await postAsDonor(test, '/donate-token', body);
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      'Complete the Altcha challenge to donate your token.',
    ]);
    await using closed = await start({ env: { TOKEN_DONATIONS: 'off' } });
    expect((await donate(closed, closed.sandbox.mintToken(1))).status).toBe(404);
  });
});

describe('a withdrawal', () => {
  it.each(['receipt', 'token'] as const)('by %s takes the token out of pool and database', async (by) => {
    await using test = await start();
    const token = test.sandbox.mintToken(1);
    const { body } = await donate(test, token);
    const known = await withdraw(test, { [by]: by === 'receipt' ? body['receipt']?.toLowerCase() : token });
    const list = join(test.dataDir, 'withdrawn.txt');
    const { size } = statSync(list);
    const unknown = await withdraw(test, { token: test.sandbox.mintToken(2) });
    expect(known).toEqual(unknown);
    // What nobody donated leaves nothing behind.
    expect(statSync(list).size).toBe(size);
    expect(known.status).toBe(200);
    expect(test.app.pool.counts().healthy).toBe(0);
    expect(await test.records.donatedTokens.all()).toEqual([]);
    expect((await donate(test, token)).status).toBe(201);
  });

  it('is possible where the operator takes no tokens any more, and uses none', async () => {
    using folder = temporaryFolder();
    let receipt: string | undefined;
    {
      await using before = await start({ dataDir: folder.path });
      receipt = (await donate(before, before.sandbox.mintToken(1))).body['receipt'];
      await donate(before, before.sandbox.mintToken(2));
    }
    await using test = await start({ dataDir: folder.path, env: { TOKEN_DONATIONS: 'off' }, seed: 2 });
    expect(test.app.pool.counts().healthy).toBe(0);
    for (const given of [{ receipt }, { token: test.sandbox.mintToken(2) }])
      expect((await withdraw(test, given)).status).toBe(200);
    expect(await test.records.donatedTokens.all()).toEqual([]);
  });
});
