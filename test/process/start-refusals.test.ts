import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRecords } from '#server/open-records.ts';
import type { OperatorError } from '#server/operator-error.ts';
import { openDatabase } from '#server/storage/database.ts';
import { realSystem } from '#server/system.ts';
import { startAppProcess } from '#test/support/app-process.ts';
import { donate } from '#test/support/donor.ts';
import { EVENTUALLY } from '#test/support/eventually.ts';
import { startHttpServer } from '#test/support/http-server.ts';
import { startOps } from '#test/support/ops-process.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { startTestApp } from '#test/support/test-app.ts';
import { configOf } from '#test/support/well-formed.ts';

const data = temporaryFolder();
const other = temporaryFolder();
beforeAll(async () => {
  for (const [seed, { path }] of [data, other].entries()) {
    await using test = await startTestApp({ tokens: 0, dataDir: path, seed });
    expect((await donate(test, test.sandbox.mintToken(1))).status).toBe(201);
  }
});
afterAll(() => {
  for (const folder of [data, other]) folder[Symbol.dispose]();
});

/** Every file with its rights and its bytes; the lock, which is empty, may be made. */
const snapshot = (folder: string) =>
  readdirSync(folder).flatMap((name) => {
    if (name === 'server.lock') return [];
    const stat = statSync(join(folder, name));
    return [[name, stat.mode, stat.isFile() ? readFileSync(join(folder, name), 'base64') : null]];
  });

type Case = readonly [name: string, exitCode: number, sentence: RegExp, damage: (path: Paths) => unknown];
type Paths = { readonly keyring: string; readonly database: string };

const DISCORD = {
  PLATFORM: 'discord',
  DISCORD_API_URL: 'http://127.0.0.1:9',
  DISCORD_CDN_URL: 'http://127.0.0.1:9',
  CONTACT_EMAIL: 'hello@example.org',
  PAYMENT_URL: 'https://example.org/',
};
const isRoot = process.getuid?.() === 0;

const CASES: readonly Case[] = [
  ['its keyring missing', 70, /is missing.*put it back/, ({ keyring }) => rmSync(keyring)],
  [
    'the keyring of another',
    72,
    /does not belong to this database: put the right one back/,
    ({ keyring }) => copyFileSync(join(other.path, 'keyring.json'), keyring),
  ],
  ['an empty keyring', 71, /is damaged: put back a copy/, ({ keyring }) => truncateSync(keyring, 0)],
  ['a keyring for all to read', 73, /chmod 600/, ({ keyring }) => chmodSync(keyring, 0o644)],
  [
    'a database of a newer version',
    75,
    /newer version: start that version/,
    async ({ database }) => {
      const db = await openDatabase(database);
      await db.insertInto('schema_migration').values({ number: 999, name: 'x' }).execute();
      await db.destroy();
    },
  ],
  [
    'a damaged database',
    74,
    /is damaged: move it away and restore a backup/,
    ({ database }) => writeFileSync(database, readFileSync(database).fill(0xff, 4_096, 5_000)),
  ],
  [
    'its database gone',
    80,
    /The database in .* is missing, but its keyring .* is there: is the disk .* mounted\? If so, restore a backup with ops restore, or start/,
    ({ database }) => rmSync(database),
  ],
  [
    'a database that cannot be written',
    76,
    /cannot be opened for writing: check its owner/,
    // Rights do not bind root; a folder in the way of the log does.
    ({ database }) => (isRoot ? mkdirSync(`${database}-wal`) : chmodSync(database, 0o400)),
  ],
];

const refusalOf = async (dataDir: string): Promise<Partial<OperatorError>> => {
  const opening = openRecords(configOf({ DATA_DIR: dataDir }), realSystem);
  return opening.then(
    (records) => records.close().then(() => ({})),
    (error: OperatorError) => error,
  );
};

it.each(CASES)('a site with a sealed token does not start with %s', async (_, exitCode, sentence, damage) => {
  using folder = temporaryFolder();
  cpSync(data.path, folder.path, { recursive: true });
  await damage({
    keyring: join(folder.path, 'keyring.json'),
    database: join(folder.path, 'whoflake.sqlite'),
  });
  const before = snapshot(folder.path);
  const refusal = await refusalOf(folder.path);
  expect(refusal.message).toMatch(sentence);
  expect(refusal.message).not.toContain('\n');
  expect(refusal.exitCode).toBe(exitCode);
  expect(snapshot(folder.path)).toEqual(before);
});

it('a second server on the same data does not start, says so in one sentence, and may once the first was killed', async () => {
  using folder = temporaryFolder();
  cpSync(data.path, folder.path, { recursive: true });
  const env = { DATA_DIR: folder.path };
  {
    await using first = startAppProcess(env);
    await first.origin;
    await using second = startAppProcess(env);
    expect(await second.ended).toEqual({
      exitCode: 79,
      stderr: `Whoflake could not start. A server is already running on ${folder.path}: stop it first, or set another DATA_DIR.\n`,
    });
    const command = await startOps(['tokens', 'list', '--json'], { env }).ended;
    expect(command).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"opens": true') });
    first.signal('SIGKILL');
    await first.ended;
  }
  await using third = startAppProcess(env);
  await third.origin;
});

it('a port that is in use is named, with an exit code that nobody tries again for', async () => {
  await using listener = await startHttpServer(() => {});
  const { port } = listener;
  for (const name of ['PORT', 'ADMIN_PORT', 'SANDBOX_PORT']) {
    await using process = startAppProcess({ [name]: String(port) });
    expect(await process.ended).toEqual({
      exitCode: 82,
      stderr: `Whoflake could not start. Port ${port} is in use: choose another with PORT, ADMIN_PORT or SANDBOX_PORT.\n`,
    });
  }
});

describe('the keyring', () => {
  it('may lie elsewhere, and the process then says nothing of it', async () => {
    using folder = temporaryFolder();
    using elsewhere = temporaryFolder();
    cpSync(data.path, folder.path, { recursive: true });
    const keyring = join(elsewhere.path, 'ring');
    renameSync(join(folder.path, 'keyring.json'), keyring);
    await using process = startAppProcess({ DATA_DIR: folder.path, KEYRING_FILE: keyring, ...DISCORD });
    await vi.waitFor(() => expect(process.output()).toContain('"event":"listening"'), EVENTUALLY);
    // What the keyring opens is from the sandbox.
    expect(process.output()).toContain('"event":"tokens-of-other-platform","count":1');
    expect(process.output()).not.toContain('keyring-beside-database');
  });

  it('beside the database is warned of in one line', async () => {
    using folder = temporaryFolder();
    await using process = startAppProcess({ DATA_DIR: folder.path, ...DISCORD });
    await vi.waitFor(() => expect(process.output()).toContain('"event":"listening"'), EVENTUALLY);
    expect(process.output().match(/keyring-beside-database/g)).toHaveLength(1);
    expect(statSync(join(folder.path, 'keyring.json')).mode & 0o777).toBe(0o600);
  });
});
