import type { Database } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';

/** Donated tokens at rest. All it knows of them are sealed bytes and keyed digests. */
export type DonatedTokenStore = {
  readonly all: () => Promise<DonatedTokenRow[]>;
  /** The row with any of the digests. */
  readonly find: (by: TokenDigest, digests: readonly string[]) => Promise<DonatedTokenRow | undefined>;
  /** Durable when it resolves. A row with any of the bot's digests is replaced: a reset token is the same bot's. */
  readonly save: (row: DonatedTokenRow, botDigests?: readonly string[]) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** The platform took it: the sealed token goes, the fact stays. */
  readonly retire: (id: string, retiredAt: string) => Promise<void>;
  readonly retirements: () => Promise<{ readonly count: number; readonly last: string | null }>;
};

export type TokenDigest = 'fingerprint' | 'bot_fingerprint' | 'receipt_digest';

export const createDonatedTokenStore = (db: Database): DonatedTokenStore => ({
  all: () => db.selectFrom('donated_token').selectAll().execute(),
  find: (by, digests) =>
    db.selectFrom('donated_token').selectAll().where(by, 'in', digests).executeTakeFirst(),
  save: (row, botDigests = [row.bot_fingerprint]) =>
    db.transaction().execute(async (step) => {
      await step.deleteFrom('donated_token').where('bot_fingerprint', 'in', botDigests).execute();
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
});
