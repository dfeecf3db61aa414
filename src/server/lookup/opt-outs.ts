import type { Database } from '#server/storage/database.ts';
import { insertNew } from '#server/storage/sql-dialect.ts';
import type { Snowflake } from '#shared/snowflake.ts';

type OptOutStore = ReturnType<typeof createOptOutStore>;

export const createOptOutStore = (db: Database) => ({
  all: () => db.selectFrom('opt_out').selectAll().orderBy('created_day').execute(),
  add: async (digest: string, created_day: string): Promise<boolean> =>
    (await insertNew(db, 'opt_out', [{ digest, created_day }])) === 1,
  remove: async (digest: string): Promise<boolean> => {
    const { numDeletedRows } = await db.deleteFrom('opt_out').where('digest', '=', digest).executeTakeFirst();
    return numDeletedRows === 1n;
  },
});

export const createOptOuts = (store: OptOutStore, digest: (id: string) => string) => {
  let digests: ReadonlySet<string> = new Set();
  return {
    has: (id: Snowflake): boolean => digests.size > 0 && digests.has(digest(id)),
    refresh: async (): Promise<void> => {
      digests = new Set((await store.all()).map((row) => row.digest));
    },
  };
};
