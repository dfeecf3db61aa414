import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createOptOutStore } from '#server/privacy/opt-outs.ts';
import { openDatabase } from '#server/storage/database.ts';
import { startOperator, type Operator } from '#test/support/operator.ts';
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

describe('restore', () => {
  it('brings everything back, and leaves withdrawn what was withdrawn', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, json, file, dataDir } = operator;
    const [row] = await operator.look(({ donatedTokens }) => donatedTokens.all());
    await ops(['tokens', 'remove', row?.id.slice(0, 8) ?? '', '--yes']);
    rmSync(join(dataDir, DATABASE));
    expect(await ops(['restore', file])).toMatchObject({ exitCode: 2 });
    const before = readdirSync(dataDir);
    expect(await ops(['restore', file], { answer: 'yes' })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^The backup was restored: 2 tokens, 1 vanity link, 1 opt-out\.\n1 token withdrawn since then/,
      ),
    });
    expect(readdirSync(dataDir)).toEqual([...before, DATABASE].toSorted());
    expect(statSync(join(dataDir, DATABASE)).mode & 0o777).toBe(0o600);
    expect(await json(['status'])).toMatchObject({
      records: { tokens: 2, links: { active: 1 }, opt_outs: 1 },
    });
  });

  it('restores into an empty folder that the keyring is put into', async () => {
    using elsewhere = temporaryFolder();
    using empty = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const env = { DATA_DIR: empty.path };
    expect(await operator.ops(['restore', operator.file, '--yes'], { env })).toMatchObject({
      exitCode: 70,
      stderr: expect.stringMatching(/keyring .* is missing/),
    });
    expect(readdirSync(empty.path)).toEqual([]);
    copyFileSync(operator.config.keyringFile, join(empty.path, 'keyring.json'));
    expect(await operator.ops(['restore', operator.file, '--yes'], { env })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(empty.path).toSorted()).toEqual(['keyring.json', DATABASE]);
  });

  it('restores a backup of an older schema and brings it up to date', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    {
      using sqlite = new DatabaseSync(operator.file);
      sqlite.exec('alter table donated_token drop column format');
      sqlite.exec('delete from schema_migration where number = 4');
    }
    rmSync(join(operator.dataDir, DATABASE));
    expect(await operator.ops(['restore', operator.file, '--yes'])).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringContaining('does not open'),
    });
    expect(await operator.look(({ donatedTokens }) => donatedTokens.all())).toHaveLength(2);
  });

  type Damage = readonly [
    name: string,
    exitCode: number,
    sentence: RegExp,
    damage: (paths: Paths) => unknown,
  ];
  type Paths = { readonly file: string; readonly dataDir: string };
  const DAMAGES: readonly Damage[] = [
    ['no such file', 2, /There is no file .*backup\.sqlite/, ({ file }) => rmSync(file)],
    ['an empty file', 2, /not one of Whoflake's|not a database/, ({ file }) => writeFileSync(file, '')],
    ['something else', 2, /not a database/, ({ file }) => writeFileSync(file, 'x'.repeat(5_000))],
    ['a torn file', 2, /no database|damaged/, ({ file }) => writeFileSync(file, 'SQLite format 3\0')],
    [
      'a foreign database',
      2,
      /not one of Whoflake's/,
      ({ file }) => {
        rmSync(file);
        const sqlite = new DatabaseSync(file);
        sqlite.exec('create table other (id)');
        sqlite.close();
      },
    ],
    [
      'one of a newer version',
      2,
      /newer version/,
      ({ file }) => {
        const sqlite = new DatabaseSync(file);
        sqlite.exec(`insert into schema_migration values (99, 'later')`);
        sqlite.close();
      },
    ],
    [
      'an unreadable keyring',
      71,
      /is damaged/,
      ({ dataDir }) => writeFileSync(join(dataDir, 'keyring.json'), '{}', { mode: 0o600 }),
    ],
  ];

  it.each(DAMAGES)('refuses %s and changes nothing', async (_name, exitCode, sentence, damage) => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, file, dataDir } = operator;
    renameSync(join(dataDir, DATABASE), join(elsewhere.path, 'gone'));
    damage({ file, dataDir });
    const before = readdirSync(dataDir);
    const outcome = await ops(['restore', file, '--yes']);
    expect(outcome).toMatchObject({ exitCode, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
    expect(readdirSync(dataDir)).toEqual(before);
  });

  /** As `kill -9` leaves it: what was written last is in the log only. */
  const crash = async ({ dataDir, config }: Operator): Promise<void> => {
    const database = await openDatabase(join(dataDir, DATABASE));
    await createOptOutStore(database).add('a digest of the last moment', '2026-11-15');
    const files = ['', '-wal', '-shm'].map((end) => join(dataDir, `${DATABASE}${end}`));
    for (const path of files) copyFileSync(path, `${path}.copy`);
    await database.destroy();
    for (const path of files) renameSync(`${path}.copy`, path);
    expect(existsSync(config.keyringFile)).toBe(true);
  };

  it('moves what is there aside, after a crash too, and nothing of it is lost', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, json, file, dataDir } = operator;
    await crash(operator);
    const rehearsal = await ops(['restore', file, '--dry-run']);
    expect(rehearsal).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^The backup is good: .*Nothing was changed\.\nwhoflake\.sqlite, .*-wal, .*-shm/,
      ),
    });
    expect(existsSync(join(dataDir, `${DATABASE}-wal`))).toBe(true);
    const outcome = await json<{ set_aside: string }>(['restore', file, '--yes']);
    expect(outcome).toMatchObject({ tokens: 2, links: 1, opt_outs: 1 });
    expect(readdirSync(outcome.set_aside)).toEqual([DATABASE, `${DATABASE}-shm`, `${DATABASE}-wal`]);
    expect(await json(['status'])).toMatchObject({ records: { opt_outs: 1 } });
    // And back again, with what was in the log only.
    expect(await ops(['restore', join(outcome.set_aside, DATABASE), '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await json(['status'])).toMatchObject({ records: { tokens: 2, opt_outs: 2 } });
    expect(readdirSync(dataDir).filter((name) => name.startsWith('trial'))).toEqual([]);
  });

  it('works where only a log is left of a database', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    await crash(operator);
    rmSync(join(operator.dataDir, DATABASE));
    expect(await operator.ops(['restore', operator.file, '--yes'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`The old files are in ${operator.dataDir}/replaced-`),
    });
    expect(await operator.json(['status'])).toMatchObject({ records: { tokens: 2, opt_outs: 1 } });
  });

  it('names the retired key that an older backup needs', async () => {
    using elsewhere = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const { ops, json, file } = operator;
    const { keys } = await json<{ keys: { kid: string }[] }>(['vault', 'status']);
    await ops(['vault', 'rotate']);
    await ops(['vault', 'retire', keys[0]?.kid ?? '', '--yes']);
    for (const command of [
      ['restore', file, '--yes'],
      ['backup', '--verify', file],
    ])
      expect(await ops(command)).toMatchObject({
        exitCode: 72,
        stderr: expect.stringMatching(
          new RegExp(`^Tokens are sealed with ${keys[0]?.kid}, .* it was retired, or`),
        ),
      });
    expect(await json(['status'])).toMatchObject({ records: { tokens: 2 } });
  });

  it('says on a new machine that the list of the withdrawn is missing', async () => {
    using elsewhere = temporaryFolder();
    using empty = temporaryFolder();
    await using operator = await startWithBackup(elsewhere.path);
    const env = { DATA_DIR: join(empty.path, 'not', 'yet'), KEYRING_FILE: operator.config.keyringFile };
    expect(await operator.ops(['restore', operator.file, '--yes'], { env })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('There is no withdrawn.txt in '),
    });
    expect(await operator.json(['status'], { env })).toMatchObject({ records: { tokens: 2 } });
  });
});
