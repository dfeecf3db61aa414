import { accessSync, constants, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { corrupt, isSqliteError, isStorageFault, nullOnFileError, unusable } from '../storage-fault.ts';

export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] };
export type Outcome = { readonly rows: readonly unknown[]; readonly changes?: number | bigint };

/** One statement at a time. */
export type SqliteConnection = {
  readonly execute: (statement: Statement) => Outcome | Promise<Outcome>;
  readonly rollBack: () => Outcome | Promise<Outcome>;
  readonly close: () => void | Promise<void>;
};

export type ConnectSqlite = (path: string) => Promise<SqliteConnection>;

/** In this thread, which then waits for locks and for the disk: for commands, which serve nobody else. */
export const connectSqlite: ConnectSqlite = async (path) => openSqlite(path);

/** `FULL`: what was committed survives a power cut. `secure_delete`: what was deleted is overwritten. */
const PRAGMAS = ['journal_mode = wal', 'synchronous = full', 'secure_delete = on'];

/** PostgreSQL's statements have the same time. */
const BUSY_MS = 5_000;

export const openSqlite = (path: string) => {
  const database = openTrusted(path);
  const isSameDatabase = rememberFile(path);
  return {
    execute: ({ sql, parameters }: Statement): Outcome => {
      const statement = database.prepare(sql);
      const values = parameters as SQLInputValue[];
      if (statement.columns().length > 0) return { rows: readAll(path, statement, values) };
      // A file without a name is lost when the process ends, with everything written to it.
      if (!isSameDatabase())
        throw new OperatorError(
          EXIT.databaseUnusable,
          `The database ${path} was moved, deleted or replaced while it was open`,
          'put it back, or restart the server to use what is there now.',
        );
      return { rows: [], changes: statement.run(...values).changes };
    },
    rollBack: (): Outcome => {
      // A full disk or a failed write has already rolled back; doing it again would hide that error behind another.
      if (database.isTransaction) database.exec('rollback');
      return { rows: [] };
    },
    close: () => database.close(),
  };
};

/** A number that is too large for Node is none that we have written. */
const readAll = (path: string, statement: StatementSync, values: readonly SQLInputValue[]) => {
  try {
    return statement.all(...values);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE' ? damaged(path) : error;
  }
};

const openTrusted = (path: string): DatabaseSync => {
  let sqlite: DatabaseSync | undefined;
  try {
    // SQLite would open it without a word, and every donation would fail.
    accessSync(path, constants.W_OK);
    // From the first statement on: the process that closes the last connection locks it for a moment.
    sqlite = new DatabaseSync(path, { timeout: BUSY_MS });
    const [check] = sqlite.prepare('pragma quick_check(1)').all();
    if (check?.['quick_check'] !== 'ok') throw damaged(path);
    for (const pragma of PRAGMAS) sqlite.exec(`pragma ${pragma}`);
    return sqlite;
  } catch (error) {
    sqlite?.close();
    if (isCorruption(error)) throw damaged(path);
    if (!isStorageFault(error)) throw error;
    throw unusable(`The database ${path} cannot be opened for writing`);
  }
};

const isCorruption = (error: unknown): boolean =>
  error instanceof OperatorError || isSqliteError(error, 'CORRUPT', 'NOTADB');

export const damaged = (path: string): OperatorError => corrupt(`The database ${path} is damaged`);

/** Ask while the file is open: until then no other file can get its number. */
export const rememberFile = (path: string): (() => boolean) => {
  const identity = (): string | null =>
    nullOnFileError(() => {
      const { dev, ino } = statSync(path, { bigint: true });
      return `${dev}:${ino}`;
    });
  const remembered = identity();
  return () => identity() === remembered;
};
