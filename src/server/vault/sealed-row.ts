import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { Vault } from './vault.ts';

type RowIdentity = Pick<DonatedTokenRow, 'id' | 'receipt_digest' | 'created_day' | 'platform'>;

type BoundColumns = Omit<RowIdentity, 'platform'> & Pick<DonatedTokenRow, 'fingerprint' | 'bot_fingerprint'>;

export const tokenFingerprints = (vault: Vault, token: BotToken): readonly [string, ...string[]] =>
  vault.fingerprints(token.secret.reveal());

export const botFingerprints = (vault: Vault, botId: string): readonly [string, ...string[]] =>
  vault.fingerprints(`bot:${botId}`);

export const sealRow = (vault: Vault, identity: RowIdentity, token: BotToken): DonatedTokenRow => {
  const columns = {
    ...identity,
    fingerprint: tokenFingerprints(vault, token)[0],
    bot_fingerprint: botFingerprints(vault, token.botId)[0],
  };
  return { ...columns, ...vault.seal(boundTo(columns), token.secret.reveal()) };
};

export const openRow = (vault: Vault, row: DonatedTokenRow): BotToken | null => {
  if (![row.wrapped_key, row.ciphertext].every((bytes) => bytes instanceof Uint8Array)) return null;
  const parsed = parseBotToken(vault.open(boundTo(row), row) ?? '');
  return parsed.ok ? parsed.token : null;
};

const boundTo = (row: BoundColumns): readonly string[] => [
  row.id,
  row.fingerprint,
  row.bot_fingerprint,
  row.receipt_digest,
  row.created_day,
];
