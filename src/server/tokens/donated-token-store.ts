import type { Database } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';

/** Donated tokens at rest. All it knows of them are sealed bytes and keyed digests. */
export type DonatedTokenStore = {
  readonly all: () => Promise<DonatedTokenRow[]>;
  readonly find: (by: TokenDigest) => Promise<DonatedTokenRow | undefined>;
  /** Durable when it resolves. A row of the same bot is replaced: a reset token is the same bot's. */
  readonly save: (row: DonatedTokenRow) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** The platform took it: the sealed token goes, the fact stays. */
  readonly retire: (id: string, retiredAt: string) => Promise<void>;
  readonly retirements: () => Promise<{ readonly count: number; readonly last: string | null }>;
  /** Of the keys that tokens are sealed with; a key that seals none is not missed. */
  readonly keyChecks: () => Promise<ReadonlyMap<string, string>>;
  readonly saveKeyCheck: (kid: string, checkDigest: string) => Promise<void>;
};

export type TokenDigest = Partial<
  Pick<DonatedTokenRow, 'fingerprint' | 'bot_fingerprint' | 'receipt_digest'>
>;

export const createDonatedTokenStore = (db: Database): DonatedTokenStore => ({
  all: () => db.selectFrom('donated_token').selectAll().execute(),
  find: (by) =>
    db
      .selectFrom('donated_token')
      .selectAll()
      .where((where) => where.and(by))
      .executeTakeFirst(),
  save: (row) =>
    db.transaction().execute(async (step) => {
      await step.deleteFrom('donated_token').where('bot_fingerprint', '=', row.bot_fingerprint).execute();
      await step.insertInto('donated_token').values(row).execute();
    }),
  remove: async (id) => {
    await db.deleteFrom('donated_token').where('id', '=', id).execute();
  },
  retire: (id, retired_at) =>
    db.transaction().execute(async (step) => {
      await step.deleteFrom('donated_token').where('id', '=', id).execute();
      await step
        .insertInto('retirement')
        .values({ token_id: id, retired_at })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }),
  retirements: async () => {
    const row = await db
      .selectFrom('retirement')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('retired_at').as('last')])
      .executeTakeFirstOrThrow();
    return row;
  },
  keyChecks: async () => {
    const rows = await db
      .selectFrom('vault_key')
      .selectAll()
      .where('kid', 'in', db.selectFrom('donated_token').select('kid'))
      .execute();
    return new Map(rows.map(({ kid, check_digest }) => [kid, check_digest]));
  },
  saveKeyCheck: async (kid, check_digest) => {
    await db
      .insertInto('vault_key')
      .values({ kid, check_digest })
      .onConflict((conflict) => conflict.column('kid').doUpdateSet({ check_digest }))
      .execute();
  },
});
