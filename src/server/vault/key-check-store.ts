import type { Database } from '#server/storage/database.ts';
import { OPT_OUT_KID } from './vault.ts';

/** Remembers digests of the keys, so that another keyring is noticed before anything is done with it. */
export type KeyCheckStore = ReturnType<typeof createKeyCheckStore>;

export const createKeyCheckStore = (db: Database) => ({
  /** Of the keys that something in the database depends on; a key that nothing needs is not missed. */
  needed: async (): Promise<ReadonlyMap<string, string>> => {
    const optOuts = db.selectFrom('opt_out').select('digest').limit(1);
    const rows = await db
      .selectFrom('vault_key')
      .selectAll()
      .where((where) =>
        where.or([
          where('kid', 'in', db.selectFrom('donated_token').select('kid')),
          where.and([where('kid', '=', OPT_OUT_KID), where.exists(optOuts)]),
        ]),
      )
      .execute();
    return new Map(rows.map(({ kid, check_digest }) => [kid, check_digest]));
  },
  save: (checks: ReadonlyMap<string, string>) =>
    db.transaction().execute(async (step) => {
      const known = await step.selectFrom('vault_key').selectAll().execute();
      // Nothing is written that is there already: other processes look again after every write.
      for (const [kid, check_digest] of checks) {
        if (known.some((row) => row.kid === kid && row.check_digest === check_digest)) continue;
        await step
          .insertInto('vault_key')
          .values({ kid, check_digest })
          .onConflict((conflict) => conflict.column('kid').doUpdateSet({ check_digest }))
          .execute();
      }
    }),
  /** The key has left the ring. */
  forget: (kid: string) => db.deleteFrom('vault_key').where('kid', '=', kid).execute(),
});
