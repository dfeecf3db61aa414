import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { linkNew } from './durable-file.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { isStorageFault } from './storage-fault.ts';

export type Database = Kysely<Schema>;

export type OpenedDatabase = {
  readonly database: Database;
  /** Another one whenever something was written by others; with PostgreSQL also by ourselves. */
  readonly readVersion: () => Promise<unknown>;
  /** False while another database, or none, is where this one was opened. */
  readonly isSameDatabase: () => boolean;
};

/** `FULL`: what was committed survives a power cut. `secure_delete`: what was deleted is overwritten. */
const PRAGMAS = ['journal_mode = wal', 'synchronous = full', 'secure_delete = on'];

const BUSY_MS = 1_000;

/** `migrate: false` leaves the schema as it is, of whatever version. */
export type OpenDatabaseOptions = { readonly migrate?: boolean };

/** Opens or creates the database in a file. Refuses, touching nothing, what it cannot trust. */
export const openDatabase = async (path: string, options?: OpenDatabaseOptions): Promise<Database> => {
  const size = sizeOf(path);
  if (size === 0) throw corrupt(path);
  if (size === null) await createDatabaseFile(path);
  return openFile(path, options);
};

/** The same, with what tells of changes to it. */
export const openWatchedDatabase = async (path: string): Promise<OpenedDatabase> => {
  const database = await openDatabase(path);
  return {
    database,
    // A number that SQLite changes for this connection whenever another one commits. Reading it touches no table.
    readVersion: async () => {
      const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(database);
      return rows[0]?.data_version;
    },
    isSameDatabase: rememberFile(path),
  };
};

const openFile = async (path: string, options?: OpenDatabaseOptions): Promise<Database> => {
  const sqlite = openSqlite(path);
  const isSameDatabase = rememberFile(path);
  const beforeWrite = (): void => {
    if (!isSameDatabase()) throw replaced(path);
  };
  const database: Database = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite, beforeWrite) });
  try {
    if (options?.migrate !== false) await migrate(database);
    return database;
  } catch (error) {
    sqlite.close();
    throw error;
  }
};

/** Whole before it has its name, so that a crash leaves no half of one; and from the first moment for us alone to read. */
const createDatabaseFile = async (path: string): Promise<void> => {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // A place of our own, because another process may be making one too.
    const folder = mkdtempSync(`${path}.new-`);
    const made = join(folder, 'database');
    closeSync(openSync(made, 'wx', 0o600));
    // Closing the only connection puts the whole log into the file.
    await (await openFile(made)).destroy();
    linkUnlessThere(made, path);
    rmSync(folder, { recursive: true });
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    throw new OperatorError(
      EXIT.databaseUnusable,
      `The database ${path} cannot be created`,
      'check DATA_DIR and its owner; under systemd, the unit must allow the folder with ReadWritePaths=.',
    );
  }
};

/** Unlike a rename it does not take the place of one that another process has made meanwhile. */
const linkUnlessThere = (made: string, path: string): void => {
  try {
    linkNew(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

const openSqlite = (path: string): DatabaseSync => {
  let sqlite: DatabaseSync | undefined;
  try {
    // SQLite would open it without a word, and every donation would fail.
    accessSync(path, constants.W_OK);
    // From the first statement on: the process that closes the last connection locks it for a moment.
    sqlite = new DatabaseSync(path, { timeout: BUSY_MS });
    const [check] = sqlite.prepare('pragma quick_check(1)').all();
    if (check?.['quick_check'] !== 'ok') throw corrupt(path);
    for (const pragma of PRAGMAS) sqlite.exec(`pragma ${pragma}`);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (isCorruption(error)) throw corrupt(path);
    if (!isStorageFault(error)) throw error;
    throw new OperatorError(
      EXIT.databaseUnusable,
      `The database ${path} cannot be opened for writing`,
      'check its owner and the disk; under systemd, the unit must allow the folder with ReadWritePaths=.',
    );
  }
};

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

const sizeOf = (path: string): number | null => {
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
};

const isCorruption = (error: unknown): boolean =>
  error instanceof OperatorError ||
  (error instanceof Error &&
    'errcode' in error &&
    [SQLITE_CORRUPT, SQLITE_NOTADB].includes(Number(error.errcode) & 0xff));

const corrupt = (path: string): OperatorError =>
  new OperatorError(
    EXIT.databaseCorrupt,
    `The database ${path} is damaged`,
    'move it away and restore a backup.',
  );

/** What is written into a file without a name is gone with the process. */
const replaced = (path: string): OperatorError =>
  new OperatorError(
    EXIT.databaseUnusable,
    `The database ${path} was moved, deleted or replaced while it was open`,
    'put it back, or restart the server to use what is there now.',
  );

/**
 * Tells later whether the path still leads to the file that it leads to now. To be asked while the file is open: then
 * no other can have got its number.
 */
const rememberFile = (path: string): (() => boolean) => {
  const remembered = identityOf(path);
  return () => identityOf(path) === remembered;
};

const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
};
