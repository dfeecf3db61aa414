import type { Database } from '#server/storage/database.ts';
import type { FigureRow } from '#server/storage/schema.ts';

/** Of all servers together. */
export type Cell = Omit<FigureRow, 'server'>;

export type FigureStore = ReturnType<typeof createFigureStore>;

export const createFigureStore = (db: Database) => ({
  add: (row: FigureRow) =>
    db
      .insertInto('figure')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['server', 'from_ms']).doUpdateSet((eb) => ({
          served: eb('figure.served', '+', eb.ref('excluded.served')),
          refused: eb('figure.refused', '+', eb.ref('excluded.refused')),
          healthy: eb
            .case()
            .when('figure.healthy', '>', eb.ref('excluded.healthy'))
            .then(eb.ref('figure.healthy'))
            .else(eb.ref('excluded.healthy'))
            .end(),
        })),
      )
      .execute(),
  since: (fromMs: number): Promise<Cell[]> =>
    db
      .selectFrom('figure')
      .select(({ fn }) => [
        'from_ms',
        fn.sum<number>('served').as('served'),
        fn.sum<number>('refused').as('refused'),
        fn.max('healthy').as('healthy'),
      ])
      .where('from_ms', '>', fromMs)
      .groupBy('from_ms')
      .orderBy('from_ms')
      .execute(),
  forget: (beforeMs: number) => db.deleteFrom('figure').where('from_ms', '<=', beforeMs).execute(),
});
