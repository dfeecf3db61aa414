import type { Database } from '#server/storage/database.ts';
import type { FigureRow } from '#server/storage/schema.ts';

export type FigureStore = ReturnType<typeof createFigureStore>;

export const createFigureStore = (db: Database) => ({
  /** In the place of what it said before: nothing counts twice if it is told again. */
  put: (row: FigureRow) =>
    db
      .insertInto('figure')
      .values(row)
      .onConflict((conflict) => conflict.columns(['server', 'from_ms']).doUpdateSet(row))
      .execute(),
  since: (fromMs: number): Promise<FigureRow[]> =>
    db.selectFrom('figure').selectAll().where('from_ms', '>', fromMs).orderBy('from_ms').execute(),
  forget: (beforeMs: number) => db.deleteFrom('figure').where('from_ms', '<=', beforeMs).execute(),
});
