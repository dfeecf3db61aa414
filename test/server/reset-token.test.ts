import { expect, it } from 'vitest';
import { createAcceptToken } from '#server/donation/accept-token.ts';
import { openRecords } from '#server/open-records.ts';
import { realSystem } from '#server/system.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';
import { configOf, tokenOf } from '#test/support/well-formed.ts';

const ID = '441997505123577857';

/** As `ops tokens add` does it: in another process, on the same database. Resolves with the receipt. */
const addBesides = async ({ dataDir }: TestApp, secret: string): Promise<string> => {
  const records = await openRecords(configOf({ DATA_DIR: dataDir }), realSystem);
  const acceptToken = createAcceptToken({
    ...records,
    system: realSystem,
    checkToken: async () => ({ kind: 'good' }),
    platformKind: 'sandbox',
  });
  const { receipt } = await acceptToken(tokenOf(secret));
  await records.close();
  return receipt;
};

const rowsOf = (test: TestApp) => test.records.donatedTokens.all();

it('a token that the operator added stays when the one it replaces is refused before the server has noticed', async () => {
  await using test = await startTestApp({ tokens: 0 });
  const old = test.sandbox.mintToken(1);
  await donate(test, old);
  const receipt = await addBesides(test, test.sandbox.resetToken(old));
  const [added, ...others] = await rowsOf(test);
  expect(others).toEqual([]);

  expect((await test.settle(test.lookUp(ID))).statusCode).toBe(503);
  await test.retiredBecomes(1);
  expect(await rowsOf(test)).toEqual([added]);
  await test.app.refresh();
  expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
  await withdraw(test, { receipt });
  expect(test.app.pool.counts().healthy).toBe(0);
});
