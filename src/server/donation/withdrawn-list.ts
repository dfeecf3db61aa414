import { readFileSync, statSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { appendToFile } from '#server/storage/durable-file.ts';
import { exclusively, insertNew, isPostgres, nameOfPostgres } from '#server/storage/sql-dialect.ts';
import { refuseOnFileError } from '#server/storage/storage-fault.ts';
import type { Random } from '#server/system.ts';

/** A crash may have torn a line. */
const ROW_ID = /^[\da-f-]{36}$/;
/** The first such line of a file names it. */
const NAME = /^list ([\da-f-]{36})$/;

/** Refuses a list that cannot be read: taken for empty, it would revive what was withdrawn. */
export const openWithdrawnFile = (path: string) => {
  const rowIds = new Set<string>();
  let name: string | undefined;
  const unreadable = new OperatorError(
    EXIT.withdrawnUnreadable,
    `The list of withdrawn tokens ${path} cannot be read`,
    'check its owner and the disk.',
  );

  const take = (line: string): void => {
    if (ROW_ID.test(line)) rowIds.add(line);
    name ??= NAME.exec(line)?.[1];
  };
  const reload = (): void =>
    refuseOnFileError(unreadable, () => {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
      for (const line of readFileSync(path, 'utf8').split('\n')) take(line.trim());
    });
  reload();

  return {
    name: (): string | undefined => name,
    ids: (): readonly string[] => [...rowIds],
    has: (rowId: string): boolean => rowIds.has(rowId),
    add: async (lines: readonly string[]): Promise<void> => {
      // The line break before it ends a line that a full disk or a crash has torn.
      await appendToFile(path, `\n${lines.join('\n')}\n`);
      for (const line of lines) take(line);
    },
    reload,
  };
};

/** Also outside the database, so that restoring that revives no token. */
export type WithdrawnList = Awaited<ReturnType<typeof openWithdrawnList>>;

/** Of the database that all lists were merged into, until the operator says that they were merged into another. */
const HELD = '';

/** The list in the file, and with PostgreSQL in a table too, of which every machine's file is then a copy. */
export const openWithdrawnList = async (path: string, database: Database, random: Random) => {
  const file = openWithdrawnFile(path);
  const hasTable = isPostgres(database);
  let inTable = new Set<string>();
  let isComplete = false;

  const beginFile = async (): Promise<void> => {
    if (!hasTable && file.name() === undefined) await file.add([`list ${random.uuid()}`]);
  };
  /** A restored PostgreSQL has another name; a folder's database is brought somewhere by its list, or without it. */
  const currentName = async () => (hasTable ? nameOfPostgres(database) : file.name());
  const isHeld = async (): Promise<boolean> => {
    const name = await nameOfMerged(database);
    return name !== undefined && name !== (await currentName());
  };
  const release = async ({ isFirst = false } = {}): Promise<void> => {
    await beginFile();
    const name = (await currentName()) ?? HELD;
    await exclusively(database, async (step) => {
      if (!isFirst || (await nameOfMerged(step)) === undefined) await setNameOfMerged(step, name);
    });
  };

  /** Resolves with what the table lacks. */
  const readTable = async (): Promise<readonly string[]> => {
    if (!hasTable) return [];
    // Read first: what is withdrawn meanwhile is in the table before it is in the file.
    const listed = file.ids();
    const rows = await database.selectFrom('withdrawn').selectAll().execute();
    inTable = new Set(rows.map(({ row_id }) => row_id));
    return listed.filter((rowId) => !inTable.has(rowId));
  };

  // They were in the table first: an older state of the database was restored under the same name, or it is new.
  const lost = await readTable();
  if (lost.length > 0)
    await exclusively(database, async (step) => {
      await addToTable(step, lost);
      if ((await nameOfMerged(step)) !== undefined) await setNameOfMerged(step, HELD);
    });

  return {
    has: (rowId: string): boolean => file.has(rowId) || inTable.has(rowId),
    add: async (rowId: string, removeRow: () => Promise<unknown>): Promise<void> => {
      // First the list, then the row: a crash between the two undoes neither.
      if (!hasTable) await file.add([rowId]);
      // If this fails, the next refresh knows better.
      inTable.add(rowId);
      // PostgreSQL notes it in the transaction that removes the row: no other server can take it for lent.
      await removeRow();
      if (hasTable) await file.add([rowId]);
    },
    refresh: async (): Promise<void> => {
      file.reload();
      await beginFile();
      if ((await nameOfMerged(database)) === undefined) await release({ isFirst: true });
      isComplete = !(await isHeld());
      // A standby that lagged may have taken over: what it missed is told again, as other servers may still lend it.
      await addToTable(database, await readTable());
      const lacking = [...inTable].filter((rowId) => !file.has(rowId));
      if (lacking.length > 0) await file.add(lacking);
    },
    /** False while another machine's list may name a token that this one does not: no stored token is used. */
    isComplete: (): boolean => isComplete,
    isHeld,
    merge: async (otherPath: string): Promise<number> => {
      const other = openWithdrawnFile(otherPath);
      // Before the first start: the database keeps the name that it gets now.
      await beginFile();
      await (hasTable ? addToTable(database, other.ids()) : file.add(other.ids()));
      // What a folder's database waits for is the list that it was with.
      if (!hasTable && other.name() === (await nameOfMerged(database))) await release();
      return other.ids().length;
    },
    release: () => release(),
  };
};

/** Undefined before the first start. */
const nameOfMerged = async (db: Database): Promise<string | undefined> =>
  (await db.selectFrom('withdrawn_list').select('merged_into').executeTakeFirst())?.merged_into;

const setNameOfMerged = async (db: Database, merged_into: string): Promise<void> => {
  const { numUpdatedRows } = await db.updateTable('withdrawn_list').set({ merged_into }).executeTakeFirst();
  if (numUpdatedRows === 0n) await insertNew(db, 'withdrawn_list', [{ merged_into }]);
};

const addToTable = (db: Database, rowIds: readonly string[]) => {
  const rows = rowIds.map((row_id) => ({ row_id }));
  return insertNew(db, 'withdrawn', rows);
};
