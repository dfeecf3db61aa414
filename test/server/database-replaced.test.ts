import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { createKeyring, newRootKey, ROOT_BYTES, serializeKeyring } from '#server/vault/keyring.ts';
import { readReadiness } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';
const eventsIn = (test: TestApp): number => test.logs().split('"event":"database-replaced"').length - 1;

type Case = readonly [name: string, harm: (database: string, aside: string) => void];
const CASES: readonly Case[] = [
  ['deleted', (database) => rmSync(database)],
  ['moved away', (database, aside) => renameSync(database, aside)],
  [
    'moved away, with another in its place',
    (database, aside) => {
      renameSync(database, aside);
      cpSync(aside, database);
    },
  ],
];

describe('a database that is taken from under a running server', () => {
  it.each(CASES)('(%s) is noticed: nothing is written into the void, lookups go on', async (_name, harm) => {
    await using test = await startTestApp();
    await test.app.start();
    const token = test.sandbox.mintToken(5);
    expect((await donate(test, token)).status).toBe(201);
    expect(await readReadiness(test.app)).toMatchObject({ status: 200, body: { database_replaced: false } });

    const database = join(test.dataDir, 'whoflake.sqlite');
    harm(database, `${database}.aside`);
    // Also before it is noticed: nobody may be thanked for what is on no disk.
    expect((await donate(test, test.sandbox.mintToken(6))).body['code']).toBe('storage-failed');
    expect((await withdraw(test, { token })).body['code']).toBe('storage-failed');
    await test.pass(2_000);
    expect(eventsIn(test)).toBe(1);
    expect(await readReadiness(test.app)).toMatchObject({
      status: 503,
      body: { ready: false, database_replaced: true },
    });
    expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
  });

  it('is well again once it is put back, and missed again when it is gone again', async () => {
    await using test = await startTestApp({ tokens: 0 });
    await test.app.start();
    const database = join(test.dataDir, 'whoflake.sqlite');
    for (const times of [1, 2]) {
      renameSync(database, `${database}.aside`);
      await test.pass(1_000);
      expect(eventsIn(test)).toBe(times);
      renameSync(`${database}.aside`, database);
      await test.pass(1_000);
      expect(await readReadiness(test.app)).toMatchObject({ status: 200 });
      expect((await donate(test, test.sandbox.mintToken(times))).status).toBe(201);
    }
  });
});

it('a keyring of another site in the place of the own makes a server not ready, until that is back', async () => {
  await using test = await startTestApp();
  await test.app.start();
  const keyring = join(test.dataDir, 'keyring.json');
  const own = readFileSync(keyring);
  writeFileSync(keyring, serializeKeyring(createKeyring([newRootKey(realSystem)], randomBytes(ROOT_BYTES))));
  await expect(test.app.refresh()).rejects.toThrow('does not belong to this database');
  expect(await readReadiness(test.app)).toMatchObject({
    status: 503,
    body: {
      keyring_problem: `The keyring ${keyring} does not belong to this database: put the right one back.`,
    },
  });
  writeFileSync(keyring, own);
  await test.app.refresh();
  expect(await readReadiness(test.app)).toMatchObject({ status: 200, body: { keyring_problem: null } });
});
