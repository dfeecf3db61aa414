import type { Database } from '#server/storage/database.ts';
import { databaseNow, secondsAgo } from '#server/storage/sql-dialect.ts';
import type { NodeRow } from '#server/storage/schema.ts';

/** A server that has renewed its row lately. `seen` changes with every renewal. */
export type LiveNode = Omit<NodeRow, 'seen_at'> & { readonly seen: string };

type RenewedColumns = Pick<NodeRow, 'id' | 'kids' | 'store_id' | 'store_address'>;

/** A running server renews its row several times in this time. */
const SILENT_SECONDS = 10;
const FORGOTTEN_SECONDS = 3_600;

/** The servers on these records. All times are those of the database's clock. */
export const createNodeStore = (db: Database) => ({
  live: async (): Promise<readonly LiveNode[]> => {
    const rows = await db
      .selectFrom('node')
      .selectAll()
      .where('seen_at', '>', secondsAgo(SILENT_SECONDS))
      // A time in the future is from before the clock was set back.
      .where('seen_at', '<', secondsAgo(-SILENT_SECONDS))
      .orderBy('name')
      .execute();
    return rows.map(({ seen_at, ...node }) => Object.assign(node, { seen: seen_at.toISOString() }));
  },
  put: async (node: Omit<NodeRow, 'seen_at'>): Promise<void> => {
    await db.deleteFrom('node').where('seen_at', '<', secondsAgo(FORGOTTEN_SECONDS)).execute();
    const row = { ...node, seen_at: databaseNow() };
    await db
      .insertInto('node')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  },
  /** False if it was silent for too long, or is not there. */
  renew: async ({ id, ...news }: RenewedColumns): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('node')
      .set({ seen_at: databaseNow(), ...news })
      .where('id', '=', id)
      .where('seen_at', '>', secondsAgo(SILENT_SECONDS))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  remove: (id: string) => db.deleteFrom('node').where('id', '=', id).execute(),
});
