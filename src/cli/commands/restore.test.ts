import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createOptOutStore } from '#server/lookup/opt-outs.ts';
import { openDatabase } from '#server/storage/database.ts';
import { lockFolder } from '#server/storage/data-folder.ts';
import { useOperator } from '#test/support/operator.ts';

const DATABASE = 'whoflake.sqlite';

const { ops, printed, json, look, dataDir, database, keyring, elsewhere } = useOperator(
  async ({ ops, fill, look, elsewhere }) => {
    await fill();
    // As a server does.
    await look(({ withdrawn }) => withdrawn.refresh());
    await ops(['backup', join(elsewhere, 'backup.sqlite')]);
  },
);
const file = join(elsewhere, 'backup.sqlite');

it('a restore brings everything back, and leaves withdrawn what was withdrawn', async () => {
  const [row] = await look(({ donatedTokens }) => donatedTokens.all());
  await ops(['tokens', 'remove', row?.id.slice(0, 8) ?? '', '--yes']);
  rmSync(database);
  const before = readdirSync(dataDir);
  expect(await printed(['restore', file], { answer: 'yes' })).toMatch(
    /^0 The backup was restored, and is in .*: 2 tokens, 1 vanity link, 1 opt-out\.\nWithdrawn since then, .* 1 token\./,
  );
  expect(readdirSync(dataDir)).toEqual([...before, DATABASE].toSorted());
  expect(statSync(database).mode & 0o777).toBe(0o600);
});

it('on a new machine a restore needs the keyring, and brings the list of the withdrawn with it', async () => {
  const newDataDir = join(elsewhere, 'not', 'yet');
  const restore = (env = {}) =>
    printed(['restore', file, '--yes'], { env: { DATA_DIR: newDataDir, ...env } });
  expect(await restore()).toMatch(/^70 .*keyring .* is missing/);
  expect(existsSync(newDataDir)).toBe(false);
  expect(await restore({ KEYRING_FILE: keyring })).not.toContain('withdrawn');
  expect(readdirSync(newDataDir)).toEqual([DATABASE, 'withdrawn.txt']);
  rmSync(`${file}.withdrawn`);
  rmSync(newDataDir, { recursive: true });
  expect(await restore({ KEYRING_FILE: keyring })).toMatch(
    /^0 .*The list of withdrawn tokens that belongs to the backup is missing, /s,
  );
});

it('an older copy of the keyring saves all but the tokens that it cannot open', async () => {
  copyFileSync(keyring, join(elsewhere, 'older.json'));
  await ops(['vault', 'rotate']);
  const env = { KEYRING_FILE: join(elsewhere, 'older.json') };
  expect(await printed(['status'], { env })).toMatch(/^72 /);
  expect(await printed(['restore', database, '--yes'], { env })).toMatch(
    /^0 .*: 0 tokens, 1 vanity link, 1 opt-out\.\n.*The keyring is an older copy, which cannot open 2 tokens: left out/s,
  );
  expect(await json(['status'], { env })).toMatchObject({ records: { token_count: 0, opt_out_count: 1 } });
  expect(await printed(['optout', 'check', '441997505123577857'], { env })).toMatch(/ yes /);
});

it('a lost database is restored by the command that its refusal names', async () => {
  await ops(['backup', '--into', elsewhere]);
  const env = { BACKUP_DIR: elsewhere, KEYRING_FILE: join(elsewhere, 'ring.json') };
  renameSync(keyring, env.KEYRING_FILE);
  rmSync(dataDir, { recursive: true });
  const [, command = ''] = /run ops (restore \S+),/.exec(await printed(['status'], { env })) ?? [];
  expect(command).toMatch(/whoflake-.*Z\.sqlite$/);
  expect(await printed([...command.split(' '), '--yes'], { env })).toMatch(/^0 .*: 2 tokens, /);
});

it('a restore is refused beside a running server, but not a dry run', async () => {
  using _server = lockFolder(dataDir);
  expect(await printed(['restore', file, '--yes'])).toMatch(/^79 /);
  expect(await printed(['restore', file, '--dry-run'])).toMatch(/^0 The backup is good/);
});

const alter = (sql: string) => () => {
  using sqlite = new DatabaseSync(file);
  sqlite.exec(sql);
};

it.each<readonly [name: string, refusal: RegExp, damage: () => unknown]>([
  ['no such file', /^2 There is no file .*backup\.sqlite/, () => rmSync(file)],
  ['a foreign database', /^2 .*not one of Whoflake's/, alter('drop table schema_migration')],
])('a restore of %s is refused and changes nothing', async (_name, refusal, damage) => {
  rmSync(database);
  damage();
  const before = readdirSync(dataDir);
  expect(await printed(['restore', file, '--yes'])).toMatch(refusal);
  expect(readdirSync(dataDir)).toEqual(before);
});

/** As `kill -9` leaves it: what was written last is in the log only. */
const crash = async (): Promise<void> => {
  const { database: opened } = await openDatabase(database);
  await createOptOutStore(opened).add('ab'.repeat(32), '2026-11-15');
  const files = ['', '-wal', '-shm'].map((end) => `${database}${end}`);
  for (const path of files) copyFileSync(path, `${path}.copy`);
  await opened.destroy();
  for (const path of files) renameSync(`${path}.copy`, path);
};

it('what is there is moved aside, after a crash too, and nothing of it is lost', async () => {
  await crash();
  const dryRun = await printed(['restore', file, '--dry-run']);
  expect(dryRun).toMatch(/^0 The backup is good: .*Nothing was changed\.$/);
  expect(existsSync(`${database}-wal`)).toBe(true);
  const outcome = await json<{ set_aside: string }>(['restore', file, '--yes']);
  expect(readdirSync(outcome.set_aside)).toEqual([DATABASE, `${DATABASE}-shm`, `${DATABASE}-wal`]);
  expect(await json(['status'])).toMatchObject({ records: { opt_out_count: 1 } });
  // And back again, with what was in the log only.
  expect(await ops(['restore', join(outcome.set_aside, DATABASE), '--yes'])).toMatchObject({ exitCode: 0 });
  expect(await json(['status'])).toMatchObject({ records: { token_count: 2, opt_out_count: 2 } });
  expect(readdirSync(dataDir).filter((name) => name.startsWith('trial'))).toEqual([]);
});
