import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { EXIT } from '#server/operator-error.ts';
import { openDatabase, type Database } from '#server/storage/database.ts';
import { useDialects, type TestDatabase } from '#test/support/databases.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { newRootKey, readKeyring, replaceKeyringFile, type Keyring } from './keyring.ts';
import { openVault } from './open-vault.ts';
import { OPT_OUT_KID } from './vault.ts';

let seed = 0;
const postgres = useDialects().find(({ name }) => name === 'PostgreSQL');

const setUp = async (databases?: TestDatabase) => {
  const folder = temporaryFolder();
  const inFolder = (name: string): string => join(folder.path, name);
  const { database } = await (databases?.open() ?? openDatabase(inFolder('db')));
  return {
    database,
    inFolder,
    /** As another process each time, with a ring of that name. */
    open: (name: string, isNewSite = false) => {
      seed += 1;
      const system = createFakeSystem({ seed });
      return openVault({ system, database, keyringFile: inFolder(name), isNewSite });
    },
    [Symbol.asyncDispose]: async () => {
      await database.destroy();
      folder[Symbol.dispose]();
    },
  };
};

const ROW = {
  id: 'id',
  wrapped_key: new Uint8Array(60),
  ciphertext: new Uint8Array(100),
  fingerprint: 'token',
  bot_fingerprint: 'bot',
  receipt_digest: 'receipt',
  created_day: '2026-11-15',
  platform: 'sandbox',
} as const;

const sealRow = (database: Database, kid: string) =>
  database
    .insertInto('donated_token')
    .values({ ...ROW, kid })
    .execute();
const optOut = (database: Database) =>
  database.insertInto('opt_out').values({ digest: 'd', created_day: '2026-11-15' }).execute();
/** A ring that another database was written with. */
const copyForeignRing = async (path: string): Promise<void> => {
  await using other = await setUp();
  await other.open('ring');
  copyFileSync(other.inFolder('ring'), path);
};
const keysKnownTo = (database: Database) =>
  database.selectFrom('vault_key').selectAll().orderBy('kid').execute();

it('a ring is read again while another process holds the write lock, which would block this one', async () => {
  await using test = await setUp();
  await test.open('ring');
  using command = new DatabaseSync(test.inFolder('db'));
  command.exec('begin immediate');
  await test.open('ring');
  command.exec('rollback');
});

it('a ring is made once, and the database knows it from then on, with nothing sealed yet', async () => {
  await using test = await setUp();
  const vault = await test.open('ring');
  expect(await keysKnownTo(test.database)).toEqual(
    [vault.kid, OPT_OUT_KID].map((kid) => ({ kid, check_digest: expect.any(String) })).toSorted(byKid),
  );
  await expect(test.open('elsewhere')).rejects.toMatchObject({
    exitCode: EXIT.keyringMissing,
    remedy: 'put it back, or a copy from another machine of this site, or set KEYRING_FILE to where it is.',
  });
  expect(existsSync(test.inFolder('elsewhere'))).toBe(false);
  expect((await test.open('ring')).kid).toBe(vault.kid);
});

it.each([
  ['sealed rows', async (database: Database) => void (await sealRow(database, 'a'.repeat(16)))],
  ['opt-outs', async (database: Database) => void (await optOut(database))],
])('a ring is not made over %s, even if the list of keys was emptied', async (_name, fill) => {
  await using test = await setUp();
  await test.open('ring');
  await fill(test.database);
  await test.database.deleteFrom('vault_key').execute();
  rmSync(test.inFolder('ring'));
  await expect(test.open('ring')).rejects.toMatchObject({ exitCode: EXIT.keyringMissing });
  expect(existsSync(test.inFolder('ring'))).toBe(false);
  expect(await keysKnownTo(test.database)).toEqual([]);
});

it('a ring that belongs to another database is refused, with nothing sealed yet, and leaves no trace', async () => {
  await using test = await setUp();
  await test.open('ring');
  const before = await keysKnownTo(test.database);
  await copyForeignRing(test.inFolder('foreign'));
  await expect(test.open('foreign')).rejects.toMatchObject({ exitCode: EXIT.keyringChanged });
  expect(await keysKnownTo(test.database)).toEqual(before);
});

it('a ring that opens no sealed row is refused, even if the list of keys was emptied', async () => {
  await using test = await setUp();
  await sealRow(test.database, (await test.open('ring')).kid);
  await test.database.deleteFrom('vault_key').execute();
  await copyForeignRing(test.inFolder('foreign'));
  await expect(test.open('foreign')).rejects.toMatchObject({ exitCode: EXIT.keyringChanged });
  await test.open('ring');
  expect(await keysKnownTo(test.database)).toHaveLength(2);
});

it('a ring is made by one of two that begin at once with different ones', async () => {
  await using test = await setUp();
  const [one, other] = await Promise.allSettled([test.open('ring-1'), test.open('ring-2')]);
  expect(one.status).toBe('fulfilled');
  expect(other).toMatchObject({ status: 'rejected', reason: { exitCode: EXIT.keyringMissing } });
  expect(await keysKnownTo(test.database)).toHaveLength(2);
});

it('the key is used that the database names, or a token is sealed with, and must be on the ring', async () => {
  await using test = await setUp();
  const path = test.inFolder('ring');
  const { kid } = await test.open('ring');
  const ring = readKeyring(path) as Keyring;
  const newer = newRootKey(createFakeSystem({ seed: 99 }));
  replaceKeyringFile(path, { ...ring, keys: [...ring.keys, newer] });
  expect((await test.open('ring')).kid).toBe(kid);
  await sealRow(test.database, kid);
  await test.database.deleteFrom('vault_key').execute();
  expect((await test.open('ring')).kid).toBe(kid);

  replaceKeyringFile(path, { ...ring, keys: [newer] });
  await expect(test.open('ring')).rejects.toMatchObject({
    exitCode: EXIT.keyringChanged,
    message: `Tokens are sealed with ${kid}, which is not on the keyring ${path}: it was retired, or the keyring is an older copy: put back a copy of the keyring that has this key.`,
  });
});

it('a ring whose key for opt-outs is another is refused before anybody opted out', async () => {
  await using test = await setUp();
  await test.open('ring');
  await test.database
    .updateTable('vault_key')
    .set({ check_digest: 'x' })
    .where('kid', '=', OPT_OUT_KID)
    .execute();
  await expect(test.open('ring')).rejects.toMatchObject({ exitCode: EXIT.keyringChanged });
});

it('a ring that is no good is refused with what to do, and is used again once that was done', async () => {
  await using test = await setUp();
  const path = test.inFolder('ring');
  await test.open('ring');
  const whole = readFileSync(path);
  const refusals: [() => void, exitCode: number, message: string][] = [
    [
      () => chmodSync(path, 0o604),
      EXIT.keyringExposed,
      `The keyring ${path} can be read by others: run chmod 600 on it.`,
    ],
    [
      () => writeFileSync(path, '{}', { mode: 0o600 }),
      EXIT.keyringUnreadable,
      `The keyring ${path} is damaged: put back a copy of it.`,
    ],
    [
      () => {},
      EXIT.keyringMissing,
      `The keyring ${path} is missing, but the database was written with one: put it back, or a copy from another machine of this site, or set KEYRING_FILE to where it is.`,
    ],
    [
      () => mkdirSync(path, { mode: 0o700 }),
      EXIT.keyringUnreadable,
      `The keyring ${path} cannot be read: check who owns it and its folder.`,
    ],
  ];
  for (const [spoil, exitCode, message] of refusals) {
    if (exitCode !== EXIT.keyringExposed) rmSync(path);
    spoil();
    await expect(test.open('ring')).rejects.toMatchObject({ exitCode, message });
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, whole, { mode: 0o600 });
  }
  await test.open('ring');
});

it('a ring of a new site may be deleted, is made only where one is wanted, and where it can be', async () => {
  await using test = await setUp();
  const path = test.inFolder('ring');
  writeFileSync(path, '{}', { mode: 0o600 });
  await expect(test.open('ring')).rejects.toMatchObject({
    exitCode: EXIT.keyringUnreadable,
    remedy: 'nothing depends on it yet, so delete it to get a new one.',
  });
  rmSync(path);
  const deps = { system: createFakeSystem(), database: test.database };
  await expect(openVault({ ...deps, keyringFile: path, create: false })).rejects.toMatchObject({
    exitCode: EXIT.keyringMissing,
    message: `There is no keyring ${path}: check KEYRING_FILE, or start the server once, which makes one.`,
  });
  expect(existsSync(path)).toBe(false);
  const nowhere = test.inFolder('db/ring');
  await expect(openVault({ ...deps, keyringFile: nowhere })).rejects.toMatchObject({
    exitCode: EXIT.keyringUnreadable,
    message: `The keyring ${nowhere} cannot be created: check KEYRING_FILE, the owner of its folder and the disk.`,
  });
});

const byKid = (a: { kid: string }, b: { kid: string }): number => (a.kid < b.kid ? -1 : 1);

describe.skipIf(postgres?.missing !== null)('with PostgreSQL', () => {
  const setUpShared = async () => setUp(await postgres?.create());

  it('a ring that several machines have is not made by a start, nor used with an empty database', async () => {
    await using test = await setUpShared();
    await expect(test.open('ring')).rejects.toMatchObject({ exitCode: EXIT.databaseMissing });
    expect(existsSync(test.inFolder('ring'))).toBe(false);
    await test.open('ring', true);
    await test.open('ring');
    await expect(test.open('another', true)).rejects.toMatchObject({ exitCode: EXIT.keyringMissing });
    expect(existsSync(test.inFolder('another'))).toBe(false);
  });

  it('a ring that several machines have is read by many at once', async () => {
    await using test = await setUpShared();
    await test.open('ring', true);
    await test.database.deleteFrom('vault_key').where('kid', '=', OPT_OUT_KID).execute();
    const vaults = await Promise.all(Array.from({ length: 6 }, () => test.open('ring')));
    expect(new Set(vaults.map((vault) => vault.kid)).size).toBe(1);
    expect(await keysKnownTo(test.database)).toHaveLength(2);
  });
});
