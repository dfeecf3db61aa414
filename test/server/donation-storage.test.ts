import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { distinctIds } from '#test/support/many-lookups.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const rowsOf = async (test: TestApp): Promise<number> =>
  (await test.records.database.selectFrom('donated_token').select('id').execute()).length;

/** From now on the database may have no page more than it has, as on a full disk. */
const fillDisk = (test: TestApp) => sql`pragma max_page_count = 1`.execute(test.records.database);
const emptyDisk = (test: TestApp) => sql`pragma max_page_count = 1000000`.execute(test.records.database);

const donateUntilRefused = async (test: TestApp) => {
  for (let saved = 0; saved < 40; saved += 1) {
    const token = test.sandbox.mintToken(100 + saved);
    const { status, body } = await donate(test, token);
    if (status !== 201) return { saved, token, answer: { status, ...body } };
  }
  throw new Error('The disk was never full.');
};

describe('when the disk is full', () => {
  it('a donation is refused whole, lookups go on, and it works again once there is room', async () => {
    await using test = await startTestApp();
    await fillDisk(test);
    const { saved, token, answer } = await donateUntilRefused(test);
    expect(answer).toEqual({
      status: 503,
      code: 'storage-failed',
      error: 'We couldn’t save this right now. Please try again later.',
      retry_after: 60,
    });
    expect(await rowsOf(test)).toBe(saved);
    expect(test.app.pool.counts().healthy).toBe(1 + saved);
    for (const id of distinctIds(3)) expect((await test.settle(test.lookUp(id))).statusCode).not.toBe(503);
    expect(test.logs()).toContain('storage-full');
    await emptyDisk(test);
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
    expect(await rowsOf(test)).toBe(1);
    expect(test.app.pool.counts().healthy).toBe(0);
    rmdirSync(list);
    renameSync(`${list}.aside`, list);
    expect((await withdraw(test, { token })).status).toBe(200);
    expect(await rowsOf(test)).toBe(0);
  });
});

const sizeOf = (test: TestApp, name: string): number =>
  statSync(join(test.dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
/** How much longer the list and the database's log have become. */
const writtenBy = async (test: TestApp, withdrawal: Record<string, unknown>) => {
  const measure = () => ['withdrawn.txt', 'whoflake.sqlite-wal'].map((name) => sizeOf(test, name));
  const before = measure();
  expect((await withdraw(test, withdrawal)).status).toBe(200);
  return measure().map((size, n) => size - (before[n] ?? 0));
};

it('a withdrawal writes as much whether the token was there or not, so that its time tells nothing', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const tokens = [1, 2, 3, 4].map((n) => test.sandbox.mintToken(n));
  const receipts = [];
  for (const token of tokens) receipts.push((await donate(test, token)).body['receipt']);
  const written = [
    await writtenBy(test, { token: tokens[0] }),
    await writtenBy(test, { token: tokens[0] }),
    await writtenBy(test, { receipt: receipts[1] }),
    await writtenBy(test, { receipt: receipts[1] }),
  ];
  expect(written[0]?.every((bytes) => bytes > 0)).toBe(true);
  expect(new Set(written.map(String)).size).toBe(1);
  expect(await rowsOf(test)).toBe(2);
});
