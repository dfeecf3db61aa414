import { readFileSync } from 'node:fs';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import type { Database } from '#server/storage/database.ts';
import { appendToFile } from '#server/storage/durable-file.ts';
import { isPostgres } from '#server/storage/sql-dialect.ts';

/** The ids of rows whose donor has taken the token back. Also outside the database: restoring it revives none. */
export type WithdrawnList = {
  readonly has: (rowId: string) => boolean;
  /** Lists a row and removes it. On disk when it resolves. */
  readonly add: (rowId: string, removeRow: () => Promise<unknown>) => Promise<void>;
  /** Takes over what other nodes have listed. */
  readonly refresh: () => Promise<void>;
};

/** The list in the file, and with PostgreSQL in a table too, of which every node's file is then a copy. */
export const openWithdrawnList = async (path: string, database: Database): Promise<WithdrawnList> => {
  const file = openWithdrawnFile(path);
  if (isPostgres(database)) return mirrored(file, database);
  return {
    has: file.has,
    add: async (rowId, removeRow) => {
      // First the list, then the row: a crash between the two undoes neither.
      await file.add([rowId]);
      await removeRow();
    },
    refresh: async () => {},
  };
};

type WithdrawnFile = ReturnType<typeof openWithdrawnFile>;

/** Refuses a list that is there and cannot be read: taken for empty, it would revive what was withdrawn. */
export const openWithdrawnFile = (path: string) => {
  const withdrawn = new Set(readLines(path));
  return {
    has: (rowId: string): boolean => withdrawn.has(rowId),
    ids: (): readonly string[] => [...withdrawn],
    /** On disk, name included, when it resolves. */
    add: async (rowIds: readonly string[]): Promise<void> => {
      // The line break before it ends a line that a full disk or a crash has torn.
      await appendToFile(path, `\n${rowIds.join('\n')}\n`);
      for (const rowId of rowIds) withdrawn.add(rowId);
    },
  };
};

const AT_ONCE = 1_000;

/** What only the file has is from before the database was restored: it goes back before any row is opened. */
const mirrored = async (file: WithdrawnFile, database: Database): Promise<WithdrawnList> => {
  const underWay = new Set<string>();
  const readTable = async (): Promise<Set<string>> => {
    const rows = await database.selectFrom('withdrawn').selectAll().execute();
    return new Set(rows.map(({ row_id }) => row_id));
  };
  const refresh = async (): Promise<void> => {
    const lacking = [...(await readTable())].filter((rowId) => !file.has(rowId));
    if (lacking.length > 0) await file.add(lacking);
  };
  const inTable = await readTable();
  const lost = file.ids().filter((rowId) => isRowId(rowId) && !inTable.has(rowId));
  for (let from = 0; from < lost.length; from += AT_ONCE)
    await database
      .insertInto('withdrawn')
      .values(lost.slice(from, from + AT_ONCE).map((row_id) => ({ row_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await refresh();
  return {
    has: (rowId) => file.has(rowId) || underWay.has(rowId),
    add: async (rowId, removeRow) => {
      underWay.add(rowId);
      try {
        // Notes it in the table, in the transaction that removes the row: no other node can take it for lent.
        await removeRow();
        await file.add([rowId]);
      } finally {
        underWay.delete(rowId);
      }
    },
    refresh,
  };
};

/** A crash may have torn a line. */
const isRowId = (line: string): boolean => line.length === 36;

const readLines = (path: string): string[] => {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new OperatorError(
      EXIT.withdrawnUnreadable,
      `The list of withdrawn tokens ${path} cannot be read`,
      'check its owner and the disk.',
    );
  }
};
