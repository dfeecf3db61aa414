import type { Database } from '#server/storage/database.ts';
import type { WithdrawnListRow } from '#server/storage/schema.ts';
import type { ListName } from './withdrawn-file.ts';

const NOT_MERGED = '';
const ABANDONED = 'gone';

/** The machines' lists of withdrawn tokens, and which of them are fully merged into the database called `here`. */
export const createListRegister = (db: Database, here: string) => ({
  all: (): Promise<WithdrawnListRow[]> =>
    db.selectFrom('withdrawn_list').selectAll().orderBy('name').execute(),
  isHere: ({ merged_into }: WithdrawnListRow): boolean => merged_into === here,
  /** The database may lack something of it. */
  isAwaited: ({ merged_into }: WithdrawnListRow): boolean =>
    merged_into !== here && merged_into !== ABANDONED,
  /** All of it is here. */
  setMerged: async (list: ListName): Promise<void> => {
    const row = { ...list, merged_into: here };
    await db
      .insertInto('withdrawn_list')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  },
  /** Lists that somebody remembers. Nothing changes for those that are known. */
  addUnmerged: async (lists: readonly ListName[]): Promise<void> => {
    if (lists.length === 0) return;
    await db
      .insertInto('withdrawn_list')
      .values(lists.map((list) => ({ ...list, merged_into: NOT_MERGED })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  /** The database is no longer what the lists were merged into. */
  markUnmerged: () =>
    db
      .updateTable('withdrawn_list')
      .set({ merged_into: NOT_MERGED })
      .where('merged_into', '=', here)
      .execute(),
  /** Gives up waiting for the lists that are awaited. */
  abandonAwaited: () =>
    db
      .updateTable('withdrawn_list')
      .set({ merged_into: ABANDONED })
      .where('merged_into', '!=', here)
      .execute(),
});
