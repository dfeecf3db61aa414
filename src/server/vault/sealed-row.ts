import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import type { Vault } from './vault.ts';

/** The columns of a row that depend on the key it is sealed under. */
export type SealedColumns = Pick<
  DonatedTokenRow,
  'kid' | 'wrapped_key' | 'ciphertext' | 'fingerprint' | 'bot_fingerprint'
>;

export const tokenFingerprints = (vault: Vault, token: BotToken): readonly [string, ...string[]] =>
  vault.fingerprints(token.secret.reveal());

export const botFingerprints = (vault: Vault, botId: string): readonly [string, ...string[]] =>
  vault.fingerprints(`bot:${botId}`);

/** Under the newest key. */
export const sealColumns = (vault: Vault, rowId: string, token: BotToken): SealedColumns => {
  const { kid, wrappedKey, ciphertext } = vault.seal(rowId, token.secret.reveal());
  return {
    kid,
    wrapped_key: wrappedKey,
    ciphertext,
    fingerprint: tokenFingerprints(vault, token)[0],
    bot_fingerprint: botFingerprints(vault, token.botId)[0],
  };
};

/** Null if the row was altered or its key is not on the ring. */
export const openRow = (
  vault: Vault,
  { id, kid, wrapped_key, ciphertext }: DonatedTokenRow,
): BotToken | null => {
  const sealed = { kid, wrappedKey: Buffer.from(wrapped_key), ciphertext: Buffer.from(ciphertext) };
  const parsed = parseBotToken(vault.open(id, sealed) ?? '');
  return parsed.ok ? parsed.token : null;
};
