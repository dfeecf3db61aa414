import type { Database } from '#server/storage/database.ts';
import type { WithdrawnListRow } from '#server/storage/schema.ts';
import { exclusively, insertNew, nameOfPostgres } from '#server/storage/sql-dialect.ts';
import type { ListName, WithdrawnFile } from './withdrawn-file.ts';

const NOT_MERGED = '';
const ABANDONED = 'gone';

export type ListRegister = ReturnType<typeof createListRegister>;

/** `here`: the name of this database. */
export const createListRegister = (db: Database, here: string) => ({
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

export const createWithdrawnTable = (db: Database) => {
  const ids = async (): Promise<ReadonlySet<string>> => {
    const rows = await db.selectFrom('withdrawn').selectAll().execute();
    return new Set(rows.map(({ row_id }) => row_id));
  };
  const add = (rowIds: readonly string[], step: Database = db) =>
    insertNew(
      step,
      'withdrawn',
      rowIds.map((row_id) => ({ row_id })),
    );
  return {
    ids,
    add,
    /** A file's ids were in the table first: if one no longer is, an older state of the database was restored. */
    restoreLost: async (file: WithdrawnFile): Promise<void> => {
      // Read first: what is withdrawn meanwhile is in the table before it is in the file.
      const listed = file.ids();
      const known = await ids();
      const lost = listed.filter((rowId) => !known.has(rowId));
      if (lost.length === 0) return;
      const here = await nameOfPostgres(db);
      await exclusively(db, async (step) => {
        const register = createListRegister(step, here);
        await add(lost, step);
        if (!(await register.all()).some(register.isAwaited)) await register.markUnmerged();
      });
    },
  };
};
