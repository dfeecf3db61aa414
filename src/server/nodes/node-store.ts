import type { Database } from '#server/storage/database.ts';
import { databaseNow, secondsAgo } from '#server/storage/sql-dialect.ts';
import type { NodeRow } from '#server/storage/schema.ts';

/** A running server renews its row several times in this time. */
const SILENT_SECONDS = 10;

/** The servers on these records, as of the last seconds. All times are those of the database's clock. */
export const createNodeStore = (db: Database) => ({
  live: (): Promise<Omit<NodeRow, 'seen_at'>[]> =>
    db
      .selectFrom('node')
      .select(['id', 'name', 'kids', 'version'])
      .where('seen_at', '>', secondsAgo(SILENT_SECONDS))
      // A time in the future is from before the clock was set back.
      .where('seen_at', '<', secondsAgo(-SILENT_SECONDS))
      .orderBy('name')
      .execute(),
  /** This server is running. What was not for a while is forgotten. */
  put: async (node: Omit<NodeRow, 'seen_at'>): Promise<void> => {
    const row = { ...node, seen_at: databaseNow() };
    await db
      .insertInto('node')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await db.deleteFrom('node').where('seen_at', '<', secondsAgo(SILENT_SECONDS)).execute();
  },
  remove: (id: string) => db.deleteFrom('node').where('id', '=', id).execute(),
});
