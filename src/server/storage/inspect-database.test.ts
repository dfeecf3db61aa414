import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { openDatabase } from './database.ts';
import { inspectDatabase } from './inspect-database.ts';
import { SCHEMA_VERSION } from './migrate.ts';

const isRoot = process.getuid?.() === 0;
const withSql = (path: string, sql: string): void => {
  using sqlite = new DatabaseSync(path);
  sqlite.exec(sql);
};
const makeOurs = async (path: string, sql: string): Promise<void> => {
  await (await openDatabase(path)).destroy();
  withSql(path, sql);
};

it.each<[kind: string, version: number | undefined, make: (path: string) => unknown]>([
  ['absent', undefined, () => {}],
  ['damaged', undefined, (path) => writeFileSync(path, 'x'.repeat(9_000))],
  ['foreign', undefined, (path) => withSql(path, 'create table other (id)')],
  ['good', SCHEMA_VERSION, (path) => makeOurs(path, '')],
  // With statistics it is as good as without.
  ['good', SCHEMA_VERSION, (path) => makeOurs(path, 'analyze')],
  ['newer', 99, (path) => makeOurs(path, `insert into schema_migration values (99, 'later')`)],
])('a database file is %s, of version %s', async (kind, version, make) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database');
  await make(path);
  expect(await inspectDatabase(path)).toEqual(version === undefined ? { kind } : { kind, version });
});

it.each([
  `create trigger x before insert on opt_out begin select raise(ignore); end`,
  'create view x as select * from opt_out',
  'create index x on opt_out (created_day)',
  'alter table opt_out add column x',
  'delete from schema_migration',
])('a database file is altered by %s, and a start refuses it', async (sql) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database');
  await makeOurs(path, sql);
  expect(await inspectDatabase(path)).toEqual({ kind: 'altered' });
  await expect(openDatabase(path)).rejects.toMatchObject({ exitCode: 74 });
});

it('a database file that this user may not write is forbidden', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'database');
  await makeOurs(path, '');
  // Rights do not bind root; a folder in the way of the log does.
  if (isRoot) mkdirSync(`${path}-wal`);
  else chmodSync(path, 0o400);
  expect(await inspectDatabase(path)).toEqual({ kind: 'forbidden' });
});
