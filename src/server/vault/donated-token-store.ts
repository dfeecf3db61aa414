import type { Database } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';

/** Donated tokens at rest. All it knows of them are sealed bytes and keyed digests. */
export type DonatedTokenStore = ReturnType<typeof createDonatedTokenStore>;

export type ResealedRow = { readonly from: DonatedTokenRow; readonly to: DonatedTokenRow };

export type TokenDigest = 'fingerprint' | 'bot_fingerprint' | 'receipt_digest';

export const createDonatedTokenStore = (db: Database) => ({
  all: () => db.selectFrom('donated_token').selectAll().execute(),
  /** The row with any of the digests. */
  find: (by: TokenDigest, digests: readonly string[]) =>
    db.selectFrom('donated_token').selectAll().where(by, 'in', digests).executeTakeFirst(),
  /** Durable when it resolves. A row with any of the bot's digests is replaced: a reset token is the same bot's. */
  save: (row: DonatedTokenRow, botDigests: readonly string[] = [row.bot_fingerprint]): Promise<void> =>
    db.transaction().execute(async (step) => {
      await step.deleteFrom('donated_token').where('bot_fingerprint', 'in', botDigests).execute();
      await step.insertInto('donated_token').values(row).execute();
    }),
  remove: (id: string) => db.deleteFrom('donated_token').where('id', '=', id).execute(),
  /** With the decoy there is something to write and to wait for, whether there is such a row or not. */
  removeWith: (decoy: DonatedTokenRow, id: string): Promise<void> =>
    db.transaction().execute(async (step) => {
      await step.insertInto('donated_token').values(decoy).execute();
      await step.deleteFrom('donated_token').where('id', 'in', [decoy.id, id]).execute();
    }),
  /** How many rows are sealed under each key. */
  countByKey: async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await db
      .selectFrom('donated_token')
      .select(({ fn }) => ['kid', fn.countAll<number>().as('count')])
      .groupBy('kid')
      .execute();
    return new Map(rows.map(({ kid, count }) => [kid, count]));
  },
  /** Rows under other keys than this one, in the order of their ids, from the one after `afterId` on. */
  underOtherKeys: (kid: string, afterId: string, limit: number) =>
    rowsAfter(db, afterId, limit).where('kid', '!=', kid).execute(),
  ofFormat: (format: number, afterId: string, limit: number) =>
    rowsAfter(db, afterId, limit).where('format', '=', format).execute(),
  /**
   * All of them or none. A row that another process has changed meanwhile is left as it is, and one whose bot has got
   * another row goes, as in `save`. Resolves with how many were re-sealed.
   */
  reseal: (rows: readonly ResealedRow[]): Promise<number> =>
    db.transaction().execute(async (step) => {
      let resealed = 0;
      for (const { from, to } of rows) {
        const rival = await step
          .selectFrom('donated_token')
          .select('id')
          .where('bot_fingerprint', '=', to.bot_fingerprint)
          .where('id', '!=', from.id)
          .executeTakeFirst();
        if (rival !== undefined) {
          await step
            .deleteFrom('donated_token')
            .where('id', '=', from.id)
            .where('wrapped_key', '=', from.wrapped_key)
            .execute();
          continue;
        }
        const { numUpdatedRows } = await step
          .updateTable('donated_token')
          .set(to)
          .where('id', '=', from.id)
          .where('wrapped_key', '=', from.wrapped_key)
          .executeTakeFirst();
        resealed += Number(numUpdatedRows);
      }
      return resealed;
    }),
});

/** In the order of their ids. */
const rowsAfter = (db: Database, id: string, limit: number) =>
  db.selectFrom('donated_token').selectAll().where('id', '>', id).orderBy('id').limit(limit);
