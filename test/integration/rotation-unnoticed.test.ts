import { expect, it } from 'vitest';
import { donate, withdraw } from '#test/support/donor.ts';
import { openSite, rotation } from '#test/support/stored-secrets.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

/** By a command of its own. The server would look for changes, but its clock stands still. */
const rotate = async ({ dataDir }: TestApp): Promise<void> => {
  const records = await openSite(dataDir);
  await rotation(records, dataDir).rotate();
  await records.close();
};

const start = async () => {
  const test = await startTestApp({ tokens: 0 });
  const token = test.sandbox.mintToken(1);
  expect((await donate(test, token)).status).toBe(201);
  await rotate(test);
  return { test, token };
};

it('lets nobody donate a token twice', async () => {
  const { test, token } = await start();
  await using _test = test;
  expect((await donate(test, token)).body['code']).toBe('token-known');
  expect(await test.records.donatedTokens.all()).toHaveLength(1);
});

it('keeps nobody from withdrawing a token', async () => {
  const { test, token } = await start();
  await using _test = test;
  expect((await withdraw(test, { token })).status).toBe(200);
  expect(await test.records.donatedTokens.all()).toEqual([]);
  expect(test.app.pool.counts().healthy).toBe(0);
});
