import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { migrate, SCHEMA_VERSION } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';
import type { Schema } from './schema.ts';
import { connectionTo } from './sqlite/sqlite-connection.ts';
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { isSqliteError, isStorageFault } from './storage-fault.ts';

/** `foreign`: a database, but none of ours. `altered`: ours, but another program has changed more than rows. */
export type DatabaseState =
  | { readonly kind: 'absent' | 'forbidden' | 'busy' | 'damaged' | 'foreign' | 'altered' }
  | { readonly kind: 'outdated' | 'good' | 'newer'; readonly version: number };

/** An `integrity_check` also compares the indexes with their tables. */
export const inspectDatabase = async (
  path: string,
  check: 'quick_check' | 'integrity_check' = 'quick_check',
): Promise<DatabaseState> => {
  if (!existsSync(path)) return { kind: 'absent' };
  let sqlite: DatabaseSync | undefined;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    sqlite = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
    const [answer] = sqlite.prepare(`pragma ${check}(1)`).all();
    if (answer?.[check] !== 'ok') return { kind: 'damaged' };
    const opened = sqlite;
    return await inspectSchema((sql) => opened.prepare(sql).all());
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    return { kind: kindOfFailure(error as Error) };
  } finally {
    sqlite?.close();
  }
};

export const stateOfVersion = (version: number): DatabaseState => {
  if (version === SCHEMA_VERSION) return { kind: 'good', version };
  return { kind: version < SCHEMA_VERSION ? 'outdated' : 'newer', version };
};

const kindOfFailure = (error: Error): 'forbidden' | 'busy' | 'damaged' => {
  if ('syscall' in error || isSqliteError(error, 'CANTOPEN')) return 'forbidden';
  return isSqliteError(error, 'BUSY') ? 'busy' : 'damaged';
};

type Row = Readonly<Record<string, unknown>>;
type Ask = (sql: string) => readonly Row[] | Promise<readonly Row[]>;

/** Statistics are SQLite's own business: `analyze` makes them. */
const OBJECTS = `select type, name, tbl_name, sql from sqlite_schema
  where name not like 'sqlite_stat%' order by type, name`;
/** As text: a number may be larger than any of ours. */
const STEPS =
  'select cast(number as text) as number, name from schema_migration order by schema_migration.number';

/** Ours is exactly what our migrations make of an empty file: a trigger of others could change what is written. */
export const inspectSchema = async (ask: Ask): Promise<DatabaseState> => {
  const objects = await ask(OBJECTS);
  if (!objects.some(({ name, type }) => name === 'schema_migration' && type === 'table'))
    return { kind: 'foreign' };
  const { version, description } = await describe(ask, objects);
  const isOurs = version > SCHEMA_VERSION || description === (await expected(version));
  return isOurs && Number.isSafeInteger(version) ? stateOfVersion(version) : { kind: 'altered' };
};

const describe = async (ask: Ask, objects: readonly Row[]) => {
  const steps = await ask(STEPS);
  const version = Number(steps.at(-1)?.['number'] ?? 0);
  return { version, description: JSON.stringify([await ask('pragma encoding'), steps, objects]) };
};

const made = new Map<number, Promise<string>>();

const expected = (version: number): Promise<string> => {
  const known = made.get(version) ?? make(version);
  made.set(version, known);
  return known;
};

const make = async (version: number): Promise<string> => {
  const memory = new DatabaseSync(':memory:');
  const dialect = createSqliteDialect(connectionTo(memory, ':memory:'));
  await using database = new Kysely<Schema>({ dialect });
  await migrate(database, MIGRATIONS.slice(0, version));
  const ask = (sql: string) => memory.prepare(sql).all();
  return (await describe(ask, ask(OBJECTS))).description;
};
