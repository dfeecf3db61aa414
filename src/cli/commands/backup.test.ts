import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { realSystem } from '#server/system.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';
import type { Check } from '../checks/check.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const DATABASE = 'whoflake.sqlite';

/** Some of everything, and a backup of it. */
const startWithBackup = async (elsewhere: string): Promise<Operator & { readonly file: string }> => {
  const operator = await startOperator();
  const { ops, sandbox } = operator;
  await ops(['tokens', 'add'], { input: [1, 2].map(sandbox.mintToken).join('\n') });
  await ops(['vanity', 'add', 'snow', 'whoflake']);
  await ops(['optout', 'add', '441997505123577857']);
  const file = join(elsewhere, 'backup.sqlite');
  expect(await ops(['backup', file])).toMatchObject({ exitCode: 0 });
  return { ...operator, file };
};

/** A row that its index has under another value: SQLite's quick check does not notice. */
const confuseIndex = (file: string): void => {
  const open = () => new DatabaseSync(file, { defensive: false });
  let index: Record<string, SQLOutputValue> = {};
  {
    using sqlite = open();
    sqlite.exec('create index confused on opt_out (created_day); pragma writable_schema = on');
    index = sqlite.prepare(`select * from sqlite_schema where name = 'confused'`).get() ?? {};
    sqlite.exec(`delete from sqlite_schema where name = 'confused'`);
  }
  {
    using sqlite = open();
    sqlite.exec(`update opt_out set created_day = '1999-01-01'; pragma writable_schema = on`);
    sqlite.prepare('insert into sqlite_schema values (?, ?, ?, ?, ?)').run(...Object.values(index));
  }
  using sqlite = open();
  expect(sqlite.prepare('pragma quick_check').get()).toEqual({ quick_check: 'ok' });
};

describe('backup', () => {
  it('copies the database for us alone to read, and names the keyring that is not in it', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startOperator();
    await operator.ops(['migrate']);
    const file = join(elsewhere.path, 'backup.sqlite');
    const { exitCode, stdout } = await operator.ops(['backup', file]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(operator.config.keyringFile);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(elsewhere.path)).toEqual(['backup.sqlite']);
  });

  it('refuses where there is nothing to copy, and makes nothing', async () => {
    await using operator = await startOperator();
    expect(await operator.ops(['backup', join(operator.dataDir, 'backup')])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^There is no database in /),
    });
    expect(readdirSync(operator.dataDir)).toEqual([]);
  });

  it('does not write over a file, nor into a folder that is not there', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    expect(await operator.ops(['backup', operator.file])).toMatchObject({
      exitCode: 2,
      stderr: 'The file already exists: choose another name.\n',
    });
    expect(await operator.ops(['backup', join(elsewhere.path, 'no', 'where')])).toMatchObject({
      exitCode: 2,
      stderr: 'The file cannot be created: check its folder.\n',
    });
  });

  it('is checked before it has its name: what is not whole is not kept', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, json, dataDir } = operator;
    expect(await json(['backup', '--verify', operator.file])).toMatchObject({
      tokens: 2,
      links: 1,
      opt_outs: 1,
    });
    confuseIndex(operator.file);
    expect(await ops(['backup', '--verify', operator.file])).toMatchObject({
      exitCode: 2,
      stderr: 'The file is not a database, or is damaged: use another.\n',
    });
    writeFileSync(join(dataDir, DATABASE), readFileSync(join(dataDir, DATABASE)).fill(0xff, 4_096, 5_000));
    const outcome = await ops(['backup', join(elsewhere.path, 'second.sqlite')]);
    expect(outcome.exitCode).toBe(74);
    expect(readdirSync(elsewhere.path)).toEqual(['backup.sqlite']);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('trial'))).toEqual([]);
  });

  it('that the keyring does not open is kept, and told of', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    renameSync(operator.config.keyringFile, join(elsewhere.path, 'keyring'));
    const file = join(elsewhere.path, 'second.sqlite');
    expect(await operator.ops(['backup', file])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('The copy is intact, but could not be checked further'),
      stderr: expect.stringMatching(/^The keyring .* is missing/),
    });
    expect(existsSync(file)).toBe(true);
    expect(existsSync(operator.config.keyringFile)).toBe(false);
    expect(await operator.ops(['backup', '--verify', file])).toMatchObject({ exitCode: 70 });
  });

  it.each([
    [[], /^Give either a file, or a folder/],
    [['x.sqlite', '--into', '.'], /^Give either a file, or a folder/],
    [['x.sqlite', '--keep', '3'], /--keep only works with --into/],
    [['--into', '.', '--keep', '0'], /--keep takes a whole number from 1/],
    [['--into', '.', '--verify'], /--verify takes a file/],
    [['--into', '/nowhere/at/all'], /There is no folder \/nowhere\/at\/all/],
  ])('is refused with %j', async (words, sentence) => {
    await using operator = await startOperator();
    await operator.ops(['init']);
    const before = readdirSync(operator.dataDir);
    expect(await operator.ops(['backup', ...words])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(sentence),
    });
    expect(readdirSync(operator.dataDir)).toEqual(before);
  });
});

describe('a series of backups', () => {
  const MADE_MS = Date.parse('2026-11-15T03:04:05.678Z');
  const DAY_MS = 86_400_000;
  const on = (day: number) => ({
    system: { ...realSystem, clock: { ...realSystem.clock, wallMs: () => MADE_MS + day * DAY_MS } },
  });
  const nameOn = (day: number): string => `whoflake-2026-11-${15 + day}T03-04-05Z.sqlite`;

  it('keeps the newest, and touches nothing that is not of it', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const folder = elsewhere.path;
    writeFileSync(join(folder, 'whoflake-2020-01-01.sqlite'), 'mine');
    mkdirSync(join(folder, 'whoflake-2020-01-01T00-00-00Z.sqlite'));
    // Of a command that was killed, and of one that is at work.
    mkdirSync(join(folder, 'whoflake-2026-11-16T03-04-05Z.sqlite.new-AbCd12'));
    mkdirSync(join(folder, 'whoflake-2026-11-18T03-00-00Z.sqlite.new-AbCd12'));
    // Of a time when the clock was wrong.
    writeFileSync(join(folder, 'whoflake-2099-01-01T00-00-00Z.sqlite'), '');
    const foreign = readdirSync(folder).filter((name) => !name.includes('2026-11-16'));
    for (const day of [0, 1, 2, 3])
      expect(await operator.ops(['backup', '--into', folder, '--keep', '3'], on(day))).toMatchObject({
        exitCode: 0,
      });
    expect(readdirSync(folder).toSorted()).toEqual([...foreign, nameOn(2), nameOn(3)].toSorted());
    expect(statSync(join(folder, nameOn(3))).mode & 0o777).toBe(0o600);
    expect(await operator.ops(['backup', '--into', folder, '--keep', '1'], on(3))).toMatchObject({
      exitCode: 2,
    });
    expect(await operator.json(['backup', '--into', folder, '--keep', '1'], on(4))).toMatchObject({
      pruned: [nameOn(2), nameOn(3), 'whoflake-2099-01-01T00-00-00Z.sqlite'],
    });
    expect(await operator.ops(['backup', '--verify', join(folder, nameOn(4))])).toMatchObject({
      exitCode: 0,
    });
  });

  it('has an age that status and doctor report; a backup that fails its check does not reset it', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, json } = operator;
    const backupCheck = async (day: number) => {
      const { checks } = await json<{ checks: Check[] }>(['doctor'], on(day));
      return checks.find(({ what }) => what === 'backup');
    };
    expect(await backupCheck(0)).toMatchObject({
      state: 'ok',
      finding: expect.stringContaining('none scheduled'),
    });
    await ops(['backup', '--into', elsewhere.path, '--keep', '2'], on(0));
    expect(await json(['status'], on(1))).toMatchObject({
      backup: { at: '2026-11-15T03:04:05.678Z', file: join(elsewhere.path, nameOn(0)) },
    });
    expect((await ops(['status'], on(1))).stdout).toMatch(/^Backup +24 hours ago: /m);
    expect(await backupCheck(1)).toMatchObject({ state: 'ok', finding: 'the last good one is 24 hours old' });
    renameSync(operator.config.keyringFile, join(elsewhere.path, 'keyring'));
    expect(await ops(['backup', '--into', elsewhere.path, '--keep', '1'], on(1))).toMatchObject({
      exitCode: 1,
    });
    renameSync(join(elsewhere.path, 'keyring'), operator.config.keyringFile);
    expect(readdirSync(elsewhere.path)).toEqual(['backup.sqlite', nameOn(0), nameOn(1)]);
    expect(await backupCheck(3)).toMatchObject({
      state: 'failed',
      finding: 'the last good one is 3 days old',
    });
  });
});
