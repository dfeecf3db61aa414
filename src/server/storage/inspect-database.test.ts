import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDatabase } from './database.ts';
import { inspectDatabase } from './inspect-database.ts';
import { SCHEMA_VERSIONS } from './migrate.ts';

const isRoot = process.getuid?.() === 0;
const withSql = (path: string, sql: string): void => {
  using sqlite = new DatabaseSync(path);
  sqlite.exec(sql);
};

describe('a file', () => {
  it.each([
    ['absent', () => {}],
    ['damaged', (path: string) => writeFileSync(path, 'x'.repeat(9_000))],
    ['foreign', (path: string) => withSql(path, 'create table other (id)')],
  ])('is %s', async (kind, make) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'database');
    make(path);
    expect(await inspectDatabase(path)).toEqual({ kind });
  });

  it.each([
    ['good', '', SCHEMA_VERSIONS.sqlite],
    ['newer', `insert into schema_migration values (99, 'later')`, 99],
  ])('is a database of ours, %s', async (kind, sql, version) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'database');
    await (await openDatabase(path)).destroy();
    withSql(path, sql);
    expect(await inspectDatabase(path)).toEqual({ kind, version });
  });

  it.each([
    `create trigger x before insert on opt_out begin select raise(ignore); end`,
    'create view x as select * from opt_out',
    'create index x on opt_out (created_day)',
    'alter table opt_out add column x',
    'delete from schema_migration where number > 3',
  ])('is altered by %s, and a start refuses it', async (sql) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'database');
    await (await openDatabase(path)).destroy();
    withSql(path, sql);
    expect(await inspectDatabase(path)).toEqual({ kind: 'altered' });
    await expect(openDatabase(path)).rejects.toMatchObject({ exitCode: 74 });
  });

  it('with statistics is as good as without', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'database');
    await (await openDatabase(path)).destroy();
    withSql(path, 'analyze');
    expect(await inspectDatabase(path)).toMatchObject({ kind: 'good' });
  });

  it('that this user may not write is forbidden', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'database');
    await (await openDatabase(path)).destroy();
    // Rights do not bind root; a folder in the way of the log does.
    if (isRoot) mkdirSync(`${path}-wal`);
    else chmodSync(path, 0o400);
    expect(await inspectDatabase(path)).toEqual({ kind: 'forbidden' });
  });
});
