import type { Database } from '#server/storage/database.ts';
import { exclusively, nameOfPostgres } from '#server/storage/sql-dialect.ts';
import { createListRegister } from './list-register.ts';
import type { WithdrawnFile } from './withdrawn-file.ts';

const AT_ONCE = 1_000;

/** What was withdrawn at any node, in PostgreSQL. */
export const createWithdrawnTable = (db: Database) => {
  const ids = async (): Promise<ReadonlySet<string>> => {
    const rows = await db.selectFrom('withdrawn').selectAll().execute();
    return new Set(rows.map(({ row_id }) => row_id));
  };
  const add = async (rowIds: readonly string[], step: Database = db): Promise<void> => {
    for (let from = 0; from < rowIds.length; from += AT_ONCE)
      await step
        .insertInto('withdrawn')
        .values(rowIds.slice(from, from + AT_ONCE).map((row_id) => ({ row_id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  };
  return {
    ids,
    add,
    /**
     * Everything in a file was in the table first. If it no longer is, an older state of the database was restored: all
     * lists are merged again, unless they are being merged already.
     */
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
