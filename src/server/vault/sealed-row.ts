import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { Vault } from './vault.ts';

type RowIdentity = Pick<DonatedTokenRow, 'id' | 'receipt_digest' | 'created_day' | 'platform'>;

type BoundColumns = Omit<RowIdentity, 'platform'> & Pick<DonatedTokenRow, 'fingerprint' | 'bot_fingerprint'>;

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

const boundTo = (row: BoundColumns): readonly string[] => [
  row.id,
  row.fingerprint,
  row.bot_fingerprint,
  row.receipt_digest,
  row.created_day,
];
