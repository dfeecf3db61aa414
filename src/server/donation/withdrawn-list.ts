import type { Database } from '#server/storage/database.ts';
import type { WithdrawnListRow } from '#server/storage/schema.ts';
import { exclusively, insertNew, isPostgres, nameOfPostgres } from '#server/storage/sql-dialect.ts';
import type { Random } from '#server/system.ts';
import { openWithdrawnFile, type ListName } from './withdrawn-file.ts';

/** Also outside the database, so that restoring that revives no token. */
export type WithdrawnList = Awaited<ReturnType<typeof openWithdrawnList>>;

type WithdrawnListDeps = {
  readonly path: string;
  readonly database: Database;
  readonly random: Random;
  readonly machine: string;
};

/** The list in the file, and with PostgreSQL in a table too, of which every node's file is then a copy. */
export const openWithdrawnList = async ({ path, database, random, machine }: WithdrawnListDeps) => {
  const file = openWithdrawnFile(path);
  const hasTable = isPostgres(database);
  const underWay = new Set<string>();
  let awaited: readonly WithdrawnListRow[] | undefined;

  // A folder has one list: a database that was merged with another one lacks that, or was brought from elsewhere.
  const nameOfDatabase = async (): Promise<string> =>
    hasTable ? nameOfPostgres(database) : (file.own()?.id ?? 'unnamed');
  const openRegister = async () => createListRegister(database, await nameOfDatabase());

  const compareWithTable = async () => {
    // Read first: what is withdrawn meanwhile is in the table before it is in the file.
    const listed = file.ids();
    const known = new Set(await readTable(database));
    return {
      lost: listed.filter((rowId) => !known.has(rowId)),
      lacking: [...known].filter((rowId) => !file.has(rowId)),
    };
  };

  /** A file's ids were in the table first: if one no longer is, an older state of the database was restored. */
  const restoreLost = async (): Promise<void> => {
    if (!hasTable) return;
    const { lost } = await compareWithTable();
    if (lost.length === 0) return;
    const here = await nameOfPostgres(database);
    await exclusively(database, async (step) => {
      const register = createListRegister(step, here);
      await addToTable(step, lost);
      if (!(await register.all()).some(register.isAwaited)) await register.markUnmerged();
    });
  };

  /** A replica that lagged may have taken over: what it missed is told again, as other servers may still lend it. */
  const exchangeWithTable = async (): Promise<void> => {
    const { lost, lacking } = await compareWithTable();
    if (lost.length > 0) await addToTable(database, lost);
    if (lacking.length > 0) await file.add(lacking);
  };

  const beginOwn = async (): Promise<void> => {
    if (file.own() === undefined) await file.begin({ id: random.uuid(), name: machine });
  };

  const mergeOwn = async (register: ListRegister): Promise<readonly WithdrawnListRow[]> => {
    const own = { id: file.own()?.id ?? '', name: machine };
    const lists = await register.all();
    const isKnown = ({ id }: { readonly id: string }) => lists.some((list) => list.id === id);
    if (lists.some((list) => list.id === own.id && register.isHere(list)) && file.others().every(isKnown))
      return lists;
    await restoreLost();
    await register.addUnmerged(file.others());
    await register.setMerged(own);
    return register.all();
  };

  await restoreLost();
  return {
    has: (rowId: string): boolean => file.has(rowId) || underWay.has(rowId),
    add: async (rowId: string, removeRow: () => Promise<unknown>): Promise<void> => {
      underWay.add(rowId);
      try {
        // First the list, then the row: a crash between the two undoes neither.
        if (!hasTable) await file.add([rowId]);
        // PostgreSQL notes it in the transaction that removes the row: no other node can take it for lent.
        await removeRow();
        if (hasTable) await file.add([rowId]);
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
      if (hasTable) await exchangeWithTable();
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
      if (!hasTable) await beginOwn();
      const register = await openRegister();
      await (hasTable ? addToTable(database, other.ids()) : file.add(other.ids()));
      await register.addUnmerged(other.others());
      const list = other.own();
      if (list !== undefined) await register.setMerged(list);
      return other.ids().length;
    },
    hold: async (): Promise<void> => void (await (await openRegister()).markUnmerged()),
    release: async (): Promise<void> => void (await (await openRegister()).abandonAwaited()),
  };
};

const readTable = async (db: Database): Promise<readonly string[]> =>
  (await db.selectFrom('withdrawn').selectAll().execute()).map(({ row_id }) => row_id);

const addToTable = (db: Database, rowIds: readonly string[]) =>
  insertNew(
    db,
    'withdrawn',
    rowIds.map((row_id) => ({ row_id })),
  );

const NOT_MERGED = '';
const ABANDONED = 'gone';

type ListRegister = ReturnType<typeof createListRegister>;

/** `here`: the name of this database. */
const createListRegister = (db: Database, here: string) => ({
  all: (): Promise<WithdrawnListRow[]> =>
    db.selectFrom('withdrawn_list').selectAll().orderBy('name').execute(),
  isHere: ({ merged_into }: WithdrawnListRow): boolean => merged_into === here,
  /** The database may lack something of it. */
  isAwaited: ({ merged_into }: WithdrawnListRow): boolean =>
    merged_into !== here && merged_into !== ABANDONED,
  setMerged: async (list: ListName): Promise<void> => {
    const row = { ...list, merged_into: here };
    await db
      .insertInto('withdrawn_list')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  },
  addUnmerged: (lists: readonly ListName[]) =>
    insertNew(
      db,
      'withdrawn_list',
      lists.map((list) => ({ ...list, merged_into: NOT_MERGED })),
    ),
  markUnmerged: () =>
    db
      .updateTable('withdrawn_list')
      .set({ merged_into: NOT_MERGED })
      .where('merged_into', '=', here)
      .execute(),
  abandonAwaited: () =>
    db
      .updateTable('withdrawn_list')
      .set({ merged_into: ABANDONED })
      .where('merged_into', '!=', here)
      .execute(),
});
