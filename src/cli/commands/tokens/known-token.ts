import type { BotToken } from '#server/platform/bot-token.ts';
import { botFingerprints } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';

export const SHORT = 8;
export const shortId = (id: string): string => id.slice(0, SHORT);

/** A keyed digest: it tells tokens apart, and nobody without the keyring whose they are. */
export const botDigest = (vault: Vault, { botId }: BotToken): string => botFingerprints(vault, botId)[0];
