import { copyFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createNodeStore } from '#server/nodes/node-store.ts';
import type { Database } from '#server/storage/database.ts';
import { openPostgresDatabase } from '#server/storage/postgres/postgres-database.ts';
import { realSystem } from '#server/system.ts';
import { usePostgres } from '#test/support/databases.ts';
import { useOperator, type OpsOptions } from '#test/support/operator.ts';
import { POSTGRES_MISSING } from '#test/support/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const postgres = usePostgres();
const programs = temporaryFolder();
const site = useOperator(async ({ ops, sandbox, elsewhere }) => {
  if (POSTGRES_MISSING !== null) return;
  const server = await postgres();
  server.installPrograms(programs.path);
  template = await server.newDatabase();
  const env = { DATABASE_URL: template, EGRESS_PER_SECOND: '10000' };
  await ops(['init'], { env });
  await ops(['tokens', 'add'], { input: `${sandbox.mintToken(1)}\n${sandbox.mintToken(2)}`, env });
  await ops(['optout', 'add', '441997505123577857'], { env });
  await ops(['backup', join(elsewhere, 'made.dump')], { env, searchPath: programs.path });
});
const { dataDir, elsewhere } = site;
const file = join(elsewhere, 'backup.dump');
const made = join(elsewhere, 'made.dump');
let [template, url] = ['', ''];

const withUrl = (options: OpsOptions = {}) => ({
  searchPath: programs.path,
  ...options,
  env: { DATABASE_URL: url, ...options.env },
});
const ops = (line: string, options?: OpsOptions) => site.ops(line.split(' '), withUrl(options));
const told = (line: string, options?: OpsOptions) => site.told(line.split(' '), withUrl(options));
const json = <T>(line: string, options?: OpsOptions) => site.json<T>(line.split(' '), withUrl(options));
const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
  const { database } = await openPostgresDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
};
const databases = (): Promise<string[]> =>
  inDatabase(async (database) => {
    const start = new URL(url).pathname.slice(1, 31);
    const { rows } = await sql<{ datname: string }>`
      select datname from pg_database where starts_with(datname, ${start}) order by 1`.execute(database);
    return rows.map(({ datname }) => datname);
  });
const calls = (): string => readFileSync(join(programs.path, 'calls'), 'utf8');

describe.skipIf(POSTGRES_MISSING !== null)('backups of PostgreSQL', () => {
  beforeEach(async () => {
    url = await (await postgres()).newDatabase(template);
  });

  it('are checked in a database of their own, which is gone afterwards, as are those of killed commands', async () => {
    const start = new URL(url).pathname.slice(1, 31);
    const recent = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();
    const [left = '', busy = '', notes = ''] = [`20260101t000000z_abcdef`, `${recent}z_abcdef`, '1'].map(
      (end) => `${start}_trial_${end}`,
    );
    for (const name of [left, busy, notes])
      await inDatabase((database) => sql`create database ${sql.id(name)}`.execute(database));
    expect(await told(`backup ${file}`)).toMatch(
      /^0 The database was copied to .*backup\.dump and the copy checked: 2 tokens, 0 vanity links, 1 opt-out\.\n.*keyring/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(elsewhere)).toEqual(['backup.dump', 'made.dump']);
    expect(await json(`backup --verify ${file}`)).toMatchObject({
      token_count: 2,
      unreadable_token_count: 0,
      database_version: 9,
      current_version: 9,
    });
    expect(await databases()).toEqual([busy, notes, new URL(url).pathname.slice(1)].toSorted());
  });

  it('show no password in the list of processes', async () => {
    await inDatabase((database) =>
      sql`create role backer login superuser password 'hunter2'`.execute(database),
    );
    const secret = new URL(url);
    [secret.username, secret.password] = ['backer', 'hunter2'];
    const env = { DATABASE_URL: secret.href };
    try {
      expect(await told(`backup ${file}`, { env })).toMatch(/^0 /);
      expect(calls()).toMatch(/^pg_dump --format=custom .*\n(?:pg_restore .*\n)+$/m);
      expect(calls()).not.toContain('hunter2');
    } finally {
      await inDatabase((database) => sql`drop role backer`.execute(database));
    }
  });

  it('say what is missing, where programs or rights are', async () => {
    await inDatabase((database) =>
      sql`create role lender login; grant pg_read_all_data, pg_write_all_data to lender`.execute(database),
    );
    const lender = new URL(url);
    lender.username = 'lender';
    try {
      expect(await told(`backup ${file}`, { env: { DATABASE_URL: lender.href } })).toMatch(
        /^\d+ The database was copied to .*could not be checked further.*\nThe PostgreSQL user of .* may not create databases, .*: allow it, with alter role … createdb\.$/s,
      );
    } finally {
      await inDatabase((database) => sql`drop owned by lender; drop role lender`.execute(database));
    }
    for (const command of [`backup ${join(elsewhere, 'second')}`, `backup --verify ${file}`])
      expect(await told(command, { searchPath: elsewhere })).toMatch(
        /^81 pg_(?:dump|restore) is not installed on this machine: .*postgresql-client/,
      );
    expect(readdirSync(elsewhere)).toEqual(['backup.dump', 'made.dump']);
  });

  it('go on as a series, with an age', async () => {
    const on = (day: number) => ({
      system: {
        ...realSystem,
        clock: { ...realSystem.clock, wallMs: () => Date.parse(`2026-11-1${day}T03:04:05Z`) },
      },
    });
    writeFileSync(join(elsewhere, 'whoflake-2026-11-10T03-04-05Z.sqlite'), 'from before the move');
    for (const day of [1, 2])
      expect(await ops(`backup --into ${elsewhere} --keep 2`, on(day))).toMatchObject({ exitCode: 0 });
    const kept = ['whoflake-2026-11-11T03-04-05Z.dump', 'whoflake-2026-11-12T03-04-05Z.dump'];
    expect(readdirSync(elsewhere)).toEqual(['made.dump', ...kept]);
    expect(await told(`backup --into ${elsewhere}`, on(2))).toMatch(
      /^2 There already is a backup of this second/,
    );
    expect(await json('status', on(3))).toMatchObject({ backup: { file: join(elsewhere, kept[1] ?? '') } });
    expect((await ops('doctor', on(3))).stdout).toMatch(/^ok +backup +the last good one is 24 hours old$/m);
    expect((await ops('doctor', on(9))).stdout).toMatch(/^failed +backup /m);
  });

  it('are restored; what was there stays, and what was withdrawn stays withdrawn', async () => {
    const { tokens } = await json<{ tokens: { id: string }[] }>('tokens list');
    await ops(`tokens remove ${tokens[0]?.id} --yes`);
    expect(await told(`restore ${made} --dry-run`)).toMatch(
      /^0 The backup is good: 2 tokens, .*\nThe records in PostgreSQL at .* would be set aside\.\nWithdrawn since then/,
    );
    const { set_aside } = await json<{ set_aside: string }>(`restore ${made} --yes`);
    expect(await json('status')).toMatchObject({ records: { token_count: 2, opt_out_count: 1 } });
    const name = new URL(url).pathname.slice(1);
    expect(await databases()).toEqual([name, set_aside].toSorted());
    expect(await json('doctor')).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ what: 'withdrawn list', state: 'ok' })]),
    });
    // And what was set aside is whole.
    url = url.replace(name, set_aside);
    expect(await json('status')).toMatchObject({ records: { token_count: 1, removed_token_count: 1 } });
  });

  it('bring back an older form over a newer one, with nothing of the newer left', async () => {
    await inDatabase((database) =>
      sql`create table later (n int); insert into schema_migration values (99, 'later')`.execute(database),
    );
    expect(await ops('status')).toMatchObject({ exitCode: 75 });
    expect(await told(`restore ${made} --yes`)).toMatch(/^0 The backup was restored: 2 tokens/);
    expect(
      await inDatabase((database) => sql`select to_regclass('later') as there`.execute(database)),
    ).toMatchObject({
      rows: [{ there: null }],
    });
  });

  it('come to a new database too, and not while a server runs', async () => {
    await inDatabase((database) =>
      createNodeStore(database).put({
        id: 'a',
        name: 'one:8080',
        kids: '',
        version: '1',
      }),
    );
    expect(await told(`restore ${made} --yes`)).toMatch(
      /^79 Servers are running on these records \(one:8080\)/,
    );
    expect(await told(`restore ${made} --dry-run`)).toMatch(/^0 The backup is good/);
    url = await (await postgres()).newDatabase();
    expect(await told('status')).toMatch(/^80 .*a backup with ops restore/);
    expect(await told(`restore ${made} --yes`)).toMatch(/^0 The backup was restored: 2 tokens/);
  });

  type Damage = readonly [name: string, sentence: RegExp, damage: () => unknown];
  const DAMAGES: readonly Damage[] = [
    ['no file', /^2 There is no file .*made\.dump/, () => renameSync(made, `${made}.away`)],
    [
      'something else',
      /^74 The file is not a database, or is damaged/,
      () => writeFileSync(made, 'x'.repeat(900)),
    ],
    [
      'half a dump',
      /^74 The file is not a database, or is damaged/,
      () => writeFileSync(made, readFileSync(made).subarray(0, -900)),
    ],
    [
      'a backup of SQLite',
      /^2 The file is a backup of SQLite, .*ops move-records/,
      () => writeFileSync(made, 'SQLite format 3\0'),
    ],
    [
      'no keyring',
      /^70 .*keyring .* is missing/,
      () => renameSync(join(dataDir, 'keyring.json'), `${made}.keyring`),
    ],
  ];
  it.each(DAMAGES)('are refused with %s, and nothing is changed', async (_name, sentence, damage) => {
    copyFileSync(join(dataDir, 'keyring.json'), join(elsewhere, 'ring'));
    damage();
    for (const command of [`restore ${made} --yes`, `backup --verify ${made}`])
      expect(await told(command)).toMatch(sentence);
    const env = { KEYRING_FILE: join(elsewhere, 'ring') };
    expect(await json('status', { env })).toMatchObject({ records: { token_count: 2 } });
    expect(await databases()).toHaveLength(1);
  });
});
