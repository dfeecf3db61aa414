import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { linkNew, syncFile } from './durable-file.ts';
import { migrate, SCHEMA_VERSION } from './migrations.ts';
import type { Schema } from './schema.ts';
import {
  connectSqlite,
  damaged,
  rememberFile,
  type ConnectSqlite,
  type SqliteConnection,
} from './sqlite/sqlite-connection.ts';
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { corrupt, isSqliteError, isStorageFault, nullOnFileError, unusable } from './storage-fault.ts';

export type Database = Kysely<Schema>;

export type OpenedDatabase = {
  readonly database: Database;
  /** Changes whenever others have written something; with PostgreSQL also after our own writes. */
  readonly readVersion: () => Promise<unknown>;
  readonly isSameDatabase: () => boolean;
};

export type OpenDatabaseOptions = {
  readonly migrate?: boolean;
  readonly connect?: ConnectSqlite | undefined;
};

const databaseOn = (sqlite: SqliteConnection): Database =>
  new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });

/** Refuses what it cannot trust, without touching it. */
export const openDatabase = async (
  path: string,
  { migrate: isMigrated = true, connect = connectSqlite }: OpenDatabaseOptions = {},
): Promise<OpenedDatabase> => {
  const size = nullOnFileError(() => statSync(path).size);
  if (size === 0) throw damaged(path);
  if (size === null) await createDatabaseFile(path);
  const sqlite = await connect(path);
  const database = databaseOn(sqlite);
  try {
    if (isMigrated) {
      await refuseAltered(path, database);
      await migrate(database);
    }
  } catch (error) {
    await sqlite.close();
    throw error;
  }
  return {
    database,
    readVersion: async () => {
      const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(database);
      return rows[0]?.data_version;
    },
    isSameDatabase: rememberFile(path),
  };
};

/** Without migrating: a backup from before an upgrade must fit the version to go back to. */
export const copyDatabase = async (source: string, path: string): Promise<void> => {
  await using database = (await openDatabase(source, { migrate: false })).database;
  // Readable by us alone from the first byte on. SQLite accepts a file that is empty.
  closeSync(openSync(path, 'wx', 0o600));
  await sql`vacuum into ${path}`.execute(database);
  syncFile(path);
};

/** Before anything is written: a trigger of somebody else's would take part in it. */
const refuseAltered = async (path: string, database: Database): Promise<void> => {
  const { kind } = await inspectSchema(
    async (text) => (await sql.raw<Record<string, unknown>>(text).execute(database)).rows,
  );
  if (kind !== 'altered' && kind !== 'foreign') return;
  throw corrupt(
    kind === 'altered'
      ? `The database ${path} has triggers or views that are not ours`
      : `The file ${path} is a database, but not one of Whoflake's`,
  );
};

/** Complete before it gets its name, and in a place of our own: another process may be making one too. */
const createDatabaseFile = async (path: string): Promise<void> => {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const folder = mkdtempSync(`${path}.new-`);
    const made = join(folder, 'database');
    closeSync(openSync(made, 'wx', 0o600));
    {
      // Closing the only connection merges the log into the file.
      await using database = databaseOn(await connectSqlite(made));
      await migrate(database);
    }
    linkUnlessThere(made, path);
    rmSync(folder, { recursive: true });
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    throw unusable(`The database ${path} cannot be created`);
  }
};

const linkUnlessThere = (made: string, path: string): void => {
  try {
    linkNew(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** `foreign`: a database, but none of ours. `altered`: ours, but with triggers or views, which we have none of. */
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

const kindOfFailure = (error: Error): 'forbidden' | 'busy' | 'damaged' => {
  if ('syscall' in error || isSqliteError(error, 'CANTOPEN')) return 'forbidden';
  return isSqliteError(error, 'BUSY') ? 'busy' : 'damaged';
};

type Row = Readonly<Record<string, unknown>>;
type Ask = (sql: string) => readonly Row[] | Promise<readonly Row[]>;

const OBJECTS = 'select type, name from sqlite_schema';
/** As text: a number may be larger than any of ours. */
const VERSION = 'select cast(max(number) as text) as version from schema_migration';

/** A trigger or a view of somebody else's would take part in what is written and read. */
const inspectSchema = async (ask: Ask): Promise<DatabaseState> => {
  const objects = await ask(OBJECTS);
  if (!objects.some(({ name, type }) => name === 'schema_migration' && type === 'table'))
    return { kind: 'foreign' };
  const version = Number((await ask(VERSION))[0]?.['version'] ?? 0);
  const isOurs =
    version > SCHEMA_VERSION || objects.every(({ type }) => type === 'table' || type === 'index');
  return isOurs && Number.isSafeInteger(version) ? stateOfVersion(version) : { kind: 'altered' };
};

export const stateOfVersion = (version: number): DatabaseState => {
  if (version === SCHEMA_VERSION) return { kind: 'good', version };
  return { kind: version < SCHEMA_VERSION ? 'outdated' : 'newer', version };
};
