import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import { isoDay, type System } from '#server/system.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createReceipt, parseReceipt, receiptDigest } from './receipt.ts';
import { sealRow, tokenFingerprint } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { CheckToken } from './check-token.ts';

export type AcceptToken = ReturnType<typeof createAcceptToken>;

export type AcceptTokenDeps = {
  readonly system: System;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly checkToken: CheckToken;
  readonly platformKind: DonatedTokenRow['platform'];
  /** It failed, but the row may have been stored. */
  readonly onUncertain?: (id: string) => void;
};

const REJECTED_MEMORY = 20_000;
/** Not for good: the platform may have been mistaken. */
const REJECTED_MEMORY_MS = 3_600_000;

export const createAcceptToken = (deps: AcceptTokenDeps) => {
  const { system, donatedTokens, vault, checkToken, platformKind, onUncertain } = deps;
  const { clock } = system;
  const rejectedUntilMs = new LRUCache<string, number>({ max: REJECTED_MEMORY });

  const judge = async (token: BotToken): Promise<void> => {
    const fingerprint = tokenFingerprint(vault, token);
    if ((rejectedUntilMs.get(fingerprint) ?? -Infinity) > clock.monotonicMs())
      throw new AppError('token-rejected');
    if ((await donatedTokens.find('fingerprint', fingerprint)) !== undefined)
      throw new AppError('token-known');
    const verdict = await checkToken(token);
    if (verdict.kind === 'rejected' || verdict.kind === 'not-a-bot')
      rejectedUntilMs.set(fingerprint, clock.monotonicMs() + REJECTED_MEMORY_MS);
    if (verdict.kind === 'unclear') {
      throw new AppError('donations-paused', { retryAfterMs: verdict.retryAfterMs });
    }
    if (verdict.kind !== 'good') throw new AppError(CODE_OF_VERDICT[verdict.kind]);
  };

  return async (token: BotToken, beforeKeeping?: () => void) => {
    await judge(token);
    beforeKeeping?.();
    const id = system.random.uuid();
    const receipt = createReceipt(system.random);
    const receipt_digest = receiptDigest(parseReceipt(receipt) ?? receipt);
    const identity = { id, receipt_digest, created_day: isoDay(clock), platform: platformKind };
    try {
      // Another server may have been asked to take it at the same time.
      if ((await donatedTokens.save(sealRow(vault, identity, token))) === 'known')
        throw new AppError('token-known');
    } catch (error) {
      if (isStorageFault(error)) onUncertain?.(id);
      throw error;
    }
    return { id, receipt };
  };
};

const CODE_OF_VERDICT = {
  rejected: 'token-rejected',
  'not-a-bot': 'token-user',
  'in-servers': 'token-in-servers',
} as const;
