import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { AppError } from '#server/app-error.ts';
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
      error: 'We couldn’t save this right now. Try again later.',
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
  expect((await withdraw(test, { token })).body['code']).toBe('storage-failed');
  expect([await rowsOf(test), test.app.pool.counts().healthy]).toEqual([1, 0]);
  rmdirSync(list);
  renameSync(`${list}.aside`, list);
  expect((await withdraw(test, { token })).status).toBe(200);
  expect(await rowsOf(test)).toBe(0);
});

it('a withdrawal that failed after its row was gone is answered once the token is out of use, when repeated', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const token = test.sandbox.mintToken(1);
  await donate(test, token);
  const remove = vi.spyOn(test.app.pool, 'remove').mockRejectedValueOnce(new AppError('store-unavailable'));
  expect((await withdraw(test, { token })).status).toBe(503);
  expect([await rowsOf(test), test.app.pool.counts().healthy]).toEqual([0, 1]);
  expect((await withdraw(test, { token })).status).toBe(200);
  expect([remove.mock.calls.length, test.app.pool.counts().healthy]).toEqual([2, 0]);
});
