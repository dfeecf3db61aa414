import { expect, it, vi } from 'vitest';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Platform } from '#server/platform/platform.ts';
import { sealRow } from '#server/vault/donated-tokens.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { tokenOf } from '#test/support/well-formed.ts';
import { createCheckToken } from './accept-token.ts';

const A = '00000000-0000-4000-8000-000000000001';

it('a token that is donated while the records are being read stays in the pool', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { donatedTokens } = test.records;
  const { outlines } = donatedTokens;
  donatedTokens.outlines = async () => {
    const read = await outlines();
    await donate(test, test.sandbox.mintToken(1));
    return read;
  };
  await test.app.refresh();
  expect(test.app.pool.counts().healthy).toBe(1);
});

it('a token that somebody withdraws before its donation is answered stays out of use', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { donatedTokens } = test.records;
  const { save } = donatedTokens;
  const token = test.sandbox.mintToken(1);
  donatedTokens.save = async (...row) => {
    const outcome = await save(...row);
    expect((await withdraw(test, { token })).status).toBe(200);
    return outcome;
  };
  expect((await donate(test, token)).status).toBe(201);
  expect(test.app.pool.counts().healthy).toBe(0);
});

it('a token that is withdrawn while the records are being read stays out of use', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { donatedTokens, vault } = test.records;
  const withIds = donatedTokens.withIds.bind(donatedTokens);
  const token = test.sandbox.mintToken(1);
  const seen: string[] = [];
  // By another process.
  const identity = { id: A, receipt_digest: 'r', created_day: '2026-11-15', platform: 'sandbox' as const };
  await donatedTokens.save(sealRow(vault, identity, tokenOf(token)));
  donatedTokens.withIds = async function* (ids) {
    for await (const row of withIds(ids)) {
      expect((await withdraw(test, { token })).status).toBe(200);
      seen.push(row.id);
      yield row;
    }
  };
  await test.app.refresh();
  expect(seen).toEqual([A]);
  expect(test.app.pool.counts().healthy).toBe(0);
  expect(await donatedTokens.outlines()).toEqual([]);
});

it('a withdrawal by token at a server with an old key is refused, as nobody can tell whether it is there', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const token = test.sandbox.mintToken(1);
  await donate(test, token);
  // As a rotation would, which this server has missed.
  await test.records.database.updateTable('donated_token').set({ fingerprint: 'x' }).execute();
  expect((await withdraw(test, { token })).status).toBe(200);
  const { kid } = test.records.vault;
  await test.records.database.updateTable('vault_key').set({ kid: 'y' }).where('kid', '=', kid).execute();
  expect((await withdraw(test, { token })).status).toBe(503);
  expect(await test.records.donatedTokens.outlines()).toHaveLength(1);
});

it('the operator’s own token of a bot is back in use once the lent one of the same bot is withdrawn', async () => {
  await using test = await startTestApp({ tokens: 1 });
  const { receipt } = (await donate(test, test.sandbox.mintToken(0))).body;
  expect(test.app.pool.counts().healthy).toBe(1);
  expect((await withdraw(test, { receipt })).status).toBe(200);
  expect(test.app.pool.counts().healthy).toBe(1);
  expect(await test.settle(test.lookUp('441997505123577857'))).toMatchObject({ statusCode: 200 });
});

it('who asks again while a token leaves the pool waits until it has left', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { receipt } = (await donate(test, test.sandbox.mintToken(1))).body;
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  // As if a request with the token were under way: the pool itself has let go of it already.
  vi.spyOn(test.app.pool, 'remove').mockReturnValueOnce(left).mockResolvedValue();
  const answers: string[] = [];
  const answer = (name: string) => withdraw(test, { receipt }).then(() => void answers.push(name));
  const first = answer('first');
  await vi.waitFor(() => expect(test.app.pool.remove).toHaveBeenCalled());
  const removals = vi.spyOn(test.records.donatedTokens, 'outlines');
  const again = answer('again');
  await vi.waitFor(() => expect(removals).toHaveResolved());
  expect(answers).toEqual([]);
  leave();
  await Promise.all([first, again]);
});

it('a token that nobody knows when to ask about may be given again in a minute', async () => {
  const platform = { invalidRequests: () => 0, waitMs: () => Infinity } as unknown as Platform;
  const checkToken = createCheckToken(createFakeSystem().clock, platform);
  expect(await checkToken({} as BotToken)).toEqual({ kind: 'unclear', retryAfterMs: 60_000 });
});
