import type { Database } from '#server/storage/database.ts';
import { exclusively, insertNew, isPostgres } from '#server/storage/sql-dialect.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { isoDay, type System } from '#server/system.ts';
import { createVaultKeyStore } from './open-vault.ts';

export type DonatedTokenStore = ReturnType<typeof createDonatedTokenStore>;

export type RowOutline = Pick<DonatedTokenRow, (typeof OUTLINE)[number]>;
const OUTLINE = [
  'id',
  'kid',
  'fingerprint',
  'bot_fingerprint',
  'receipt_digest',
  'created_day',
  'platform',
] as const;

const READ_AT_ONCE = 500;

export const createDonatedTokenStore = (db: Database) => ({
  outlines: (): Promise<RowOutline[]> => db.selectFrom('donated_token').select(OUTLINE).execute(),
  withIds: async function* (ids: readonly string[]): AsyncGenerator<DonatedTokenRow> {
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const some = ids.slice(from, from + READ_AT_ONCE);
      yield* await db.selectFrom('donated_token').selectAll().where('id', 'in', some).execute();
    }
  },
  all: () => db.selectFrom('donated_token').selectAll().execute(),
  find: (by: 'fingerprint' | 'receipt_digest', digest: string) =>
    db.selectFrom('donated_token').selectAll().where(by, '=', digest).executeTakeFirst(),
  save: (row: DonatedTokenRow): Promise<'saved' | 'known'> =>
    exclusively(db, async (step) => {
      // Under another key it would have another digest: nobody could tell whether it is the same token.
      await createVaultKeyStore(step).refuseOther(row.kid);
      const { fingerprint, bot_fingerprint } = row;
      // Another process was quicker, and its receipt holds.
      if ((await createDonatedTokenStore(step).find('fingerprint', fingerprint)) !== undefined)
        return 'known';
      // A reset token is the same bot's.
      await step.deleteFrom('donated_token').where('bot_fingerprint', '=', bot_fingerprint).execute();
      await step.insertInto('donated_token').values(row).execute();
      return 'saved';
    }),
  reseal: (row: DonatedTokenRow) =>
    db.updateTable('donated_token').set(row).where('id', '=', row.id).execute(),
  remove: (id: string) => db.deleteFrom('donated_token').where('id', '=', id).execute(),
  /** With the decoy there is something to write and to wait for, whether there is such a row or not. */
  withdraw: (id: string, decoy: DonatedTokenRow): Promise<void> =>
    db.transaction().execute(async (step) => {
      await step.insertInto('donated_token').values(decoy).execute();
      await step.deleteFrom('donated_token').where('id', 'in', [decoy.id, id]).execute();
      if (!isPostgres(step)) return;
      await insertNew(
        step,
        'withdrawn',
        [...new Set([id, decoy.id])].map((row_id) => ({ row_id })),
      );
      await step.deleteFrom('withdrawn').where('row_id', '=', decoy.id).execute();
    }),
  countByKey: async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await db
      .selectFrom('donated_token')
      .select(({ fn }) => ['kid', fn.countAll<number>().as('count')])
      .groupBy('kid')
      .execute();
    return new Map(rows.map(({ kid, count }) => [kid, count]));
  },
});

/** No row has it: those of donated tokens are random. */
export const DECOY_ID = '00000000-0000-0000-0000-000000000000';

/** As large as a sealed token, and as scattered over the indexes. */
export const createDecoy = ({ clock, random }: System): DonatedTokenRow => {
  const digest = (): string => random.bytes(32).toString('hex');
  return {
    id: DECOY_ID,
    kid: random.bytes(8).toString('hex'),
    wrapped_key: random.bytes(60),
    ciphertext: random.bytes(100),
    fingerprint: digest(),
    bot_fingerprint: digest(),
    receipt_digest: digest(),
    created_day: isoDay(clock),
    platform: 'sandbox',
  };
};
