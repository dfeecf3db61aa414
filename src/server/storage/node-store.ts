import manifest from '#package.json' with { type: 'json' };
import type { Database } from './database.ts';
import type { NodeRow } from './schema.ts';
import { databaseNow, isPostgres, secondsAgo } from './sql-dialect.ts';
import { createRepetition, type System } from '#server/system.ts';

/** A running server renews its row several times in this time. */
const SILENT_SECONDS = 10;
/** A server that ended without a word is missed for this long. */
const MISSED_SECONDS = 30 * 86_400;

/** All times are those of the database's clock. */
export const createNodeStore = (db: Database) => ({
  live: (): Promise<Omit<NodeRow, 'seen_at'>[]> =>
    db
      .selectFrom('node')
      .select(['id', 'name', 'version'])
      .where('seen_at', '>', secondsAgo(SILENT_SECONDS))
      // A time in the future is from before the clock was set back.
      .where('seen_at', '<', secondsAgo(-SILENT_SECONDS))
      .orderBy('name')
      .execute(),
  lost: async (): Promise<{ readonly name: string; readonly last_seen: string }[]> => {
    const rows = await db
      .selectFrom('node')
      .select(({ fn }) => ['name', fn.max('seen_at').as('seen_at')])
      .groupBy('name')
      .having(({ fn }) => fn.max('seen_at'), '<', secondsAgo(SILENT_SECONDS))
      .orderBy('name')
      .execute();
    return rows.map(({ name, seen_at }) => ({ name, last_seen: new Date(seen_at).toISOString() }));
  },
  forget: async (name: string): Promise<boolean> => {
    const { numDeletedRows } = await db
      .deleteFrom('node')
      .where('name', '=', name)
      .where('seen_at', '<', secondsAgo(SILENT_SECONDS))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
  put: async (node: Omit<NodeRow, 'seen_at'>): Promise<void> => {
    const row = { ...node, seen_at: databaseNow() };
    await db
      .insertInto('node')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await db.deleteFrom('node').where('seen_at', '<', secondsAgo(MISSED_SECONDS)).execute();
  },
  remove: (id: string) => db.deleteFrom('node').where('id', '=', id).execute(),
});

const RENEW_MS = 2_000;

/** In a folder a server is alone: the folder is locked. */
const ALONE = { join: async () => {}, leave: async () => {}, lost: async () => [] };

export const registerNode = (
  { clock, random }: System,
  database: Database,
  name: string,
  onFailure: (error: unknown) => void,
) => {
  if (!isPostgres(database)) return ALONE;
  const id = random.uuid();
  const store = createNodeStore(database);
  const put = () => store.put({ id, name, version: manifest.version });
  const renewal = createRepetition({ clock, work: () => put().catch(onFailure), restMs: () => RENEW_MS });

  return {
    join: async (): Promise<void> => {
      await put();
      renewal.start();
    },
    leave: async (): Promise<void> => {
      await renewal.stop();
      await store.remove(id).catch(onFailure);
    },
    /** One server speaks for all. */
    lost: async () => ((await store.live())[0]?.id === id ? store.lost() : []),
  };
};
