import type { Database } from '#server/storage/database.ts';
import type { WithdrawnListRow } from '#server/storage/schema.ts';
import { isPostgres, nameOfPostgres } from '#server/storage/sql-dialect.ts';
import type { Random } from '#server/system.ts';
import { openWithdrawnFile } from './withdrawn-file.ts';
import { createListRegister, createWithdrawnTable, type ListRegister } from './withdrawn-table.ts';

/** Also outside the database, so that restoring that revives no token. */
export type WithdrawnList = Awaited<ReturnType<typeof openWithdrawnList>>;

export type WithdrawnListDeps = {
  readonly path: string;
  readonly database: Database;
  readonly random: Random;
  readonly machine: string;
};

/** The list in the file, and with PostgreSQL in a table too, of which every node's file is then a copy. */
export const openWithdrawnList = async ({ path, database, random, machine }: WithdrawnListDeps) => {
  const file = openWithdrawnFile(path);
  const table = isPostgres(database) ? createWithdrawnTable(database) : null;
  const underWay = new Set<string>();
  let awaited: readonly WithdrawnListRow[] | undefined;

  // A folder has one list: a database that was merged with another one lacks that, or was brought from elsewhere.
  const nameOfDatabase = async (): Promise<string> =>
    table === null ? (file.own()?.id ?? 'unnamed') : nameOfPostgres(database);
  const openRegister = async () => createListRegister(database, await nameOfDatabase());

  const beginOwn = async (): Promise<void> => {
    if (file.own() === undefined) await file.begin({ id: random.uuid(), name: machine });
  };

  const mergeOwn = async (register: ListRegister): Promise<readonly WithdrawnListRow[]> => {
    const own = { id: file.own()?.id ?? '', name: machine };
    const lists = await register.all();
    const isKnown = ({ id }: { readonly id: string }) => lists.some((list) => list.id === id);
    if (lists.some((list) => list.id === own.id && register.isHere(list)) && file.others().every(isKnown))
      return lists;
    await table?.restoreLost(file);
    await register.addUnmerged(file.others());
    await register.setMerged(own);
    return register.all();
  };

  await table?.restoreLost(file);
  return {
    has: (rowId: string): boolean => file.has(rowId) || underWay.has(rowId),
    add: async (rowId: string, removeRow: () => Promise<unknown>): Promise<void> => {
      underWay.add(rowId);
      try {
        // First the list, then the row: a crash between the two undoes neither.
        if (table === null) await file.add([rowId]);
        // PostgreSQL notes it in the transaction that removes the row: no other node can take it for lent.
        await removeRow();
        if (table !== null) await file.add([rowId]);
      } finally {
        underWay.delete(rowId);
      }
    },
    refresh: async (): Promise<void> => {
      file.reload();
      await beginOwn();
      const register = await openRegister();
      // Before the table is read: a list is in there once it counts as merged.
      const lists = await mergeOwn(register);
      await file.remember(lists);
      const lacking = [...((await table?.ids()) ?? [])].filter((rowId) => !file.has(rowId));
      if (lacking.length > 0) await file.add(lacking);
      awaited = lists.filter(register.isAwaited);
    },
    /** False while a list may name a token that this one does not: until then no stored token is used. */
    isComplete: (): boolean => awaited?.length === 0,
    awaited: async (): Promise<readonly string[]> => {
      const register = await openRegister();
      return (await register.all()).filter(register.isAwaited).map(({ name }) => name);
    },
    merge: async (otherPath: string): Promise<number> => {
      const other = openWithdrawnFile(otherPath);
      // Before the first start: the database keeps the name that it gets now.
      if (table === null) await beginOwn();
      const register = await openRegister();
      await (table === null ? file : table).add(other.ids());
      await register.addUnmerged(other.others());
      const list = other.own();
      if (list !== undefined) await register.setMerged(list);
      return other.ids().length;
    },
    hold: async (): Promise<void> => void (await (await openRegister()).markUnmerged()),
    release: async (): Promise<void> => void (await (await openRegister()).abandonAwaited()),
  };
};
