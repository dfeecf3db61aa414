import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAdmin, readReadiness } from '#test/support/admin-client.ts';
import { donate, withdraw } from '#test/support/donor.ts';
import { startTestApp, type TestApp } from '#test/support/test-app.ts';

const ID = '441997505123577857';

/** What becomes of the records while a server works on them; `aside` is where the folder can be put. */
type Harm = (dataDir: string, aside: string, database: string) => void;
const HARMS: Readonly<Record<string, Harm>> = {
  'whose database is deleted': (_dataDir, _aside, database) => rmSync(database),
  'whose database is replaced by a copy': (_dataDir, _aside, database) => {
    renameSync(database, `${database}.aside`);
    cpSync(`${database}.aside`, database);
  },
  'that is deleted': (dataDir) => rmSync(dataDir, { recursive: true }),
  'that is not mounted any more': (dataDir, aside) => {
    renameSync(dataDir, aside);
    mkdirSync(dataDir, { mode: 0o700 });
  },
};

const eventsIn = (test: TestApp): number => test.logs().split('"event":"database-replaced"').length - 1;

it.each(Object.entries(HARMS))(
  'in a folder %s nothing is written into the void, every question about health is answered, and lookups go on',
  async (_, harm) => {
    await using test = await startTestApp();
    await test.app.start();
    const token = test.sandbox.mintToken(5);
    expect((await donate(test, token)).status).toBe(201);
    expect(await readReadiness(test.app)).toMatchObject({ status: 200, body: { database_replaced: false } });
    harm(test.dataDir, `${test.dataDir}-aside`, join(test.dataDir, 'whoflake.sqlite'));
    // Also before it is noticed: nobody may be thanked for what is on no disk.
    expect((await donate(test, test.sandbox.mintToken(6))).body['code']).toBe('storage-failed');
    expect((await withdraw(test, { token })).body['code']).toBe('storage-failed');
    await test.pass(2_000);
    expect(eventsIn(test)).toBe(1);
    expect(await readReadiness(test.app)).toMatchObject({
      status: 503,
      body: { ready: false, database_replaced: true },
    });
    for (const path of ['/metrics', '/livez']) expect((await readAdmin(test.app, path)).status).toBe(200);
    expect((await test.settle(test.lookUp(ID))).statusCode).toBe(200);
  },
);

it('a database that was moved away is well again once it is put back, and missed again when it is gone again', async () => {
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
