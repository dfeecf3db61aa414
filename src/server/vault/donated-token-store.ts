import type { Database } from '#server/storage/database.ts';
import { exclusively, insertNew, isPostgres } from '#server/storage/sql-dialect.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { isoDay, type System } from '#server/system.ts';
import type { OpenedVault } from './open-vault.ts';

export type DonatedTokenStore = ReturnType<typeof createDonatedTokenStore>;

type ResealedRow = { readonly from: DonatedTokenRow; readonly to: DonatedTokenRow };

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

/** Under all keys on the ring, whose names are `kids`. */
type KnownDigests = Partial<Readonly<Record<'bot' | 'token' | 'kids', readonly string[] | undefined>>>;

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
  find: (by: 'fingerprint' | 'receipt_digest', digests: readonly string[]) =>
    db.selectFrom('donated_token').selectAll().where(by, 'in', digests).executeTakeFirst(),
  save: (
    row: DonatedTokenRow,
    { bot = [row.bot_fingerprint], token = [row.fingerprint], kids }: KnownDigests = {},
  ): Promise<'saved' | 'known' | 'other-keys'> =>
    exclusively(db, async (step) => {
      const rows = step.selectFrom('donated_token').select('id');
      // Another process was quicker, and its receipt holds.
      if ((await rows.where('fingerprint', 'in', token).executeTakeFirst()) !== undefined) return 'known';
      const others = kids && (await rows.where('kid', 'not in', kids).executeTakeFirst());
      // Nobody can tell whether these are the same token.
      if (others !== undefined) return 'other-keys';
      // A reset token is the same bot's.
      await step.deleteFrom('donated_token').where('bot_fingerprint', 'in', bot).execute();
      await step.insertInto('donated_token').values(row).execute();
      return 'saved';
    }),
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
  underOtherKeys: (kid: string, afterId: string, limit: number) =>
    db
      .selectFrom('donated_token')
      .selectAll()
      .where('id', '>', afterId)
      .where('kid', '!=', kid)
      .orderBy('id')
      .limit(limit)
      .execute(),
  /** Leaves what another process has changed meanwhile. */
  reseal: (rows: readonly ResealedRow[]): Promise<number> =>
    exclusively(db, async (step) => {
      let resealed = 0;
      for (const { from, to } of rows) {
        const { id, wrapped_key } = from;
        const ofBot = step.selectFrom('donated_token').where('bot_fingerprint', '=', to.bot_fingerprint);
        const rival = await ofBot.select('id').where('id', '!=', id).executeTakeFirst();
        if (rival === undefined) {
          const update = step.updateTable('donated_token').set(to);
          const done = await update.where((where) => where.and({ id, wrapped_key })).executeTakeFirst();
          resealed += Number(done.numUpdatedRows);
        } else {
          const removal = step.deleteFrom('donated_token');
          await removal.where((where) => where.and({ id, wrapped_key })).execute();
        }
      }
      return resealed;
    }),
});

/** After a rotation rows may be under a key that we lack. True if we got one: what was not found may be found now. */
export const reloadMissingKeys = async (
  vault: Pick<OpenedVault, 'keys' | 'reloadKeys'>,
  donatedTokens: DonatedTokenStore,
): Promise<boolean> => {
  const missing = async (): Promise<number> => {
    const onRing = new Set(vault.keys().map(({ kid }) => kid));
    return [...(await donatedTokens.countByKey()).keys()].filter((kid) => !onRing.has(kid)).length;
  };
  const before = await missing();
  if (before === 0) return false;
  await vault.reloadKeys();
  return (await missing()) < before;
};

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
