import { expect, it, vi } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startTestApp } from '#test/support/test-app.ts';

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
  const { donatedTokens } = test.records;
  const withIds = donatedTokens.withIds.bind(donatedTokens);
  const { receipt } = (await donate(test, test.sandbox.mintToken(1))).body;
  donatedTokens.withIds = async function* (ids) {
    for await (const row of withIds(ids)) {
      expect((await withdraw(test, { receipt })).status).toBe(200);
      yield row;
    }
  };
  await test.app.refresh();
  expect(test.app.pool.counts().healthy).toBe(0);
  expect(await donatedTokens.outlines()).toEqual([]);
});

it('the pool is compared with the records by one refresh at a time', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const { donatedTokens } = test.records;
  const { outlines } = donatedTokens;
  const reads = { running: 0, most: 0 };
  donatedTokens.outlines = async () => {
    reads.running += 1;
    reads.most = Math.max(reads.most, reads.running);
    const read = await outlines();
    reads.running -= 1;
    return read;
  };
  await Promise.all([test.app.refresh(), test.app.refresh(), test.app.refresh()]);
  expect(reads.most).toBe(1);
});

it('tokens that are gone from the records leave the pool together: each has to wait for its last request', async () => {
  await using test = await startTestApp({ tokens: 0 });
  for (const n of [1, 2, 3]) await donate(test, test.sandbox.mintToken(n));
  const { donatedTokens } = test.records;
  for (const { id } of await donatedTokens.outlines()) await donatedTokens.remove(id);
  const { pool } = test.app;
  const leaving = Promise.withResolvers<void>();
  const remove = vi.spyOn(pool, 'remove').mockReturnValue(leaving.promise);
  const refreshed = test.app.refresh();
  await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(3), EVENTUALLY);
  leaving.resolve();
  await refreshed;
});

it('the operator’s own token of a bot is back in use once the lent one of the same bot is withdrawn', async () => {
  await using test = await startTestApp({ tokens: 1 });
  const { receipt } = (await donate(test, test.sandbox.mintToken(0))).body;
  expect(test.app.pool.counts().healthy).toBe(1);
  expect((await withdraw(test, { receipt })).status).toBe(200);
  expect(test.app.pool.counts().healthy).toBe(1);
  expect(await test.settle(test.lookUp('441997505123577857'))).toMatchObject({ statusCode: 200 });
});
