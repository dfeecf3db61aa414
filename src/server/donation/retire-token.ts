import type { BotToken } from '#server/platform/bot-token.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import { isoTime, type Clock } from '#server/system.ts';
import type { DonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { tokenFingerprint } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';

export type RetireTokenDeps = {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly donatedTokens: DonatedTokenStore;
  readonly retirements: Retirements;
};

/** The operator's own tokens have no row; by this name one counts once, however often keys are rotated. */
const ownName = (vault: Vault, { secret }: BotToken): string =>
  `own:${vault.poolDigest(secret.reveal()).slice(0, 32)}`;

/** Since when, by bot. */
export const retiredOwnTokens = async (
  { vault, retirements }: Pick<RetireTokenDeps, 'vault' | 'retirements'>,
  tokens: readonly BotToken[],
): Promise<ReadonlyMap<string, string>> => {
  const named = tokens.map((token) => [ownName(vault, token), token.botId] as const);
  const times = await retirements.times(named.map(([name]) => name));
  return new Map(named.flatMap(([name, botId]) => (times.has(name) ? [[botId, times.get(name) ?? '']] : [])));
};

export const createRetireToken =
  ({ clock, vault, donatedTokens, retirements }: RetireTokenDeps) =>
  /** `rowId`: another node may have removed the row already. */
  async (token: BotToken, rowId?: string): Promise<void> => {
    const row = await donatedTokens.find('fingerprint', tokenFingerprint(vault, token));
    const token_id = row?.id ?? rowId ?? ownName(vault, token);
    await retirements.add({ token_id, retired_at: isoTime(clock), reason: 'platform' });
    if (row !== undefined) await donatedTokens.remove(row.id);
  };
