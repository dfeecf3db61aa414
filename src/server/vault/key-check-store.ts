import type { Database } from '#server/storage/database.ts';
import { OPT_OUT_KID } from './vault.ts';

/** Remembers digests of the keys, so that another keyring is noticed before anything is done with it. */
export const createKeyCheckStore = (db: Database) => ({
  all: async (): Promise<ReadonlyMap<string, string>> => {
    const rows = await db.selectFrom('vault_key').selectAll().execute();
    return new Map(rows.map(({ kid, check_digest }) => [kid, check_digest]));
  },
  /** The names of the keys that something in the database depends on; a key that nothing needs is not missed. */
  needed: async (): Promise<ReadonlySet<string>> => {
    const sealed = await db.selectFrom('donated_token').select('kid').distinct().execute();
    const optOut = await db.selectFrom('opt_out').select('digest').limit(1).executeTakeFirst();
    return new Set([...sealed.map(({ kid }) => kid), ...(optOut === undefined ? [] : [OPT_OUT_KID])]);
  },
  /** Throws if the key is known: its check is never written over. */
  add: (kid: string, check_digest: string) =>
    db.insertInto('vault_key').values({ kid, check_digest }).execute(),
  /** The key has left the ring. */
  forget: (kid: string) => db.deleteFrom('vault_key').where('kid', '=', kid).execute(),
});
