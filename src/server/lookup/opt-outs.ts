import type { Database } from '#server/storage/database.ts';
import { insertNew } from '#server/storage/sql-dialect.ts';

export type OptOutStore = ReturnType<typeof createOptOutStore>;

export const createOptOutStore = (db: Database) => ({
  all: () => db.selectFrom('opt_out').selectAll().orderBy('created_day').execute(),
  add: async (digest: string, created_day: string): Promise<boolean> =>
    (await insertNew(db, 'opt_out', [{ digest, created_day }])) === 1,
  remove: async (digest: string): Promise<boolean> => {
    const { numDeletedRows } = await db.deleteFrom('opt_out').where('digest', '=', digest).executeTakeFirst();
    return numDeletedRows === 1n;
  },
});
