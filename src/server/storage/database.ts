import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { linkNew, syncFile } from './durable-file.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { inspectSchema } from './inspect-database.ts';
import {
  connectSqlite,
  damaged,
  rememberFile,
  type ConnectSqlite,
  type SqliteConnection,
} from './sqlite/sqlite-connection.ts';
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts';
import { corrupt, isStorageFault, nullOnFileError, unusable } from './storage-fault.ts';

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
): Promise<Database> => {
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
    return database;
  } catch (error) {
    await sqlite.close();
    throw error;
  }
};

export const openWatchedDatabase = async (
  path: string,
  options?: OpenDatabaseOptions,
): Promise<OpenedDatabase> => {
  const database = await openDatabase(path, options);
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
  await using database = await openDatabase(source, { migrate: false });
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
    const database = databaseOn(await connectSqlite(made));
    // Closing the only connection merges the log into the file.
    try {
      await migrate(database);
    } finally {
      await database.destroy();
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
