import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const rowsOf = async (test: TestApp): Promise<number> => (await test.records.donatedTokens.all()).length;

it('while the disk is full a donation is refused whole, lookups go on, and it works again once there is room', async () => {
  await using test = await startTestApp();
  // The database may have no page more than it has.
  await sql`pragma max_page_count = 1`.execute(test.records.database);
  let [saved, token] = [0, test.sandbox.mintToken(100)];
  let answer = await donate(test, token);
  while (answer.status === 201) {
    saved += 1;
    token = test.sandbox.mintToken(100 + saved);
    answer = await donate(test, token);
  }
  expect(answer).toEqual({
    status: 503,
    body: {
      code: 'storage-failed',
      error: 'We couldn’t save this right now. Please try again later.',
      retry_after: 60,
    },
  });
  expect([await rowsOf(test), test.app.pool.counts().healthy]).toEqual([saved, 1 + saved]);
  for (const id of distinctIds(3)) expect((await test.settle(test.lookUp(id))).statusCode).not.toBe(503);
  expect(test.logs()).toContain('storage-full');
  await sql`pragma max_page_count = 1000000`.execute(test.records.database);
  expect((await donate(test, token)).status).toBe(201);
  expect(await rowsOf(test)).toBe(saved + 1);
});

it('a withdrawal that cannot be noted down is not called done, and may be repeated', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const token = test.sandbox.mintToken(1);
  await donate(test, token);
  const list = join(test.dataDir, 'withdrawn.txt');
  renameSync(list, `${list}.aside`);
  mkdirSync(list);
  // One of a token that is not there fails alike.
  for (const offered of [token, test.sandbox.mintToken(2)])
    expect((await withdraw(test, { token: offered })).body['code']).toBe('storage-failed');
  expect([await rowsOf(test), test.app.pool.counts().healthy]).toEqual([1, 0]);
  rmdirSync(list);
  renameSync(`${list}.aside`, list);
  expect((await withdraw(test, { token })).status).toBe(200);
  expect(await rowsOf(test)).toBe(0);
});

it('a withdrawal writes as much whether the token was there or not, so that its time tells nothing', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const sizes = () =>
    ['withdrawn.txt', 'whoflake.sqlite-wal'].map((name) => statSync(join(test.dataDir, name)).size);
  const writtenBy = async (withdrawal: Record<string, unknown>) => {
    const before = sizes();
    expect((await withdraw(test, withdrawal)).status).toBe(200);
    return sizes().map((size, n) => size - (before[n] ?? 0));
  };
  const token = test.sandbox.mintToken(1);
  await donate(test, token);
  const { receipt } = (await donate(test, test.sandbox.mintToken(2))).body;
  const written = [];
  for (const given of [{ token }, { token }, { receipt }, { receipt }]) written.push(await writtenBy(given));
  expect(written[0]?.every((bytes) => bytes > 0)).toBe(true);
  expect(new Set(written.map(String)).size).toBe(1);
  expect(await rowsOf(test)).toBe(0);
});
