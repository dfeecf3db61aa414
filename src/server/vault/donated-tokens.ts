import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import type { Database } from '#server/storage/database.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { exclusively, insertNew, isPostgres } from '#server/storage/sql-dialect.ts';
import { createVaultKeyStore } from './open-vault.ts';
import type { SealedToken, Vault } from './vault.ts';

type RowIdentity = Pick<DonatedTokenRow, 'id' | 'receipt_digest' | 'created_day' | 'platform'>;

export const tokenFingerprint = (vault: Vault, token: BotToken): string =>
  vault.fingerprint(token.secret.reveal());

export const botFingerprint = (vault: Vault, botId: string): string => vault.fingerprint(`bot:${botId}`);

export const sealRow = (vault: Vault, identity: RowIdentity, token: BotToken): DonatedTokenRow => {
  const columns = {
    ...identity,
    fingerprint: tokenFingerprint(vault, token),
    bot_fingerprint: botFingerprint(vault, token.botId),
  };
  return { ...columns, ...vault.seal(boundTo(columns), token.secret.reveal()) };
};

export const openRow = (vault: Vault, row: DonatedTokenRow): BotToken | null => {
  if (![row.wrapped_key, row.ciphertext].every((bytes) => bytes instanceof Uint8Array)) return null;
  const parsed = parseBotToken(vault.open(boundTo(row), row) ?? '');
  return parsed.ok ? parsed.token : null;
};

const boundTo = (row: Omit<DonatedTokenRow, keyof SealedToken>): readonly string[] => [
  row.id,
  row.fingerprint,
  row.bot_fingerprint,
  row.receipt_digest,
  row.created_day,
];

export type DonatedTokenStore = ReturnType<typeof createDonatedTokenStore>;

const READ_AT_ONCE = 500;

export const createDonatedTokenStore = (db: Database) => ({
  outlines: () => db.selectFrom('donated_token').select(['id', 'platform', 'kid']).execute(),
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
  /** Noted in the same transaction: no other server can take it for lent. */
  withdraw: (id: string): Promise<void> =>
    db.transaction().execute(async (step) => {
      await createDonatedTokenStore(step).remove(id);
      if (isPostgres(step)) await insertNew(step, 'withdrawn', [{ row_id: id }]);
    }),
});
