import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { isoDay, type System } from '#server/system.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { createReceipt, parseReceipt, receiptDigest } from './receipt.ts';
import { botFingerprints, sealRow, tokenFingerprints } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { CheckToken } from './check-token.ts';

/** Judges a token and keeps it. Resolves once it is on disk, rejects with an `AppError` that says why not. */
export type AcceptToken = (token: BotToken) => Promise<{ readonly id: string; readonly receipt: string }>;

export type AcceptTokenDeps = {
  readonly system: System;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly checkToken: CheckToken;
};

/** Junk that was asked about once is not asked about again, for a while: the platform may have been mistaken. */
const REJECTED_MEMORY = 20_000;
const REJECTED_MEMORY_MS = 3_600_000;

export const createAcceptToken = ({
  system,
  donatedTokens,
  vault,
  checkToken,
}: AcceptTokenDeps): AcceptToken => {
  const { clock } = system;
  /** Until when a token is not asked about again. */
  const rejected = new LRUCache<string, number>({ max: REJECTED_MEMORY });

  const judge = async (token: BotToken): Promise<void> => {
    const fingerprints = tokenFingerprints(vault, token);
    if ((rejected.get(fingerprints[0]) ?? -Infinity) > clock.monotonicMs())
      throw new AppError('token-rejected');
    if ((await donatedTokens.find('fingerprint', fingerprints)) !== undefined)
      throw new AppError('token-known');
    const verdict = await checkToken(token);
    if (verdict.kind === 'rejected' || verdict.kind === 'not-a-bot')
      rejected.set(fingerprints[0], clock.monotonicMs() + REJECTED_MEMORY_MS);
    if (verdict.kind === 'unclear') {
      throw new AppError('donations-paused', { retryAfterMs: verdict.retryAfterMs });
    }
    if (verdict.kind !== 'good') throw new AppError(CODE_OF_VERDICT[verdict.kind]);
  };

  return async (token) => {
    await judge(token);
    const id = system.random.uuid();
    const receipt = createReceipt(system.random);
    const receipt_digest = receiptDigest(parseReceipt(receipt) ?? receipt);
    const row = sealRow(vault, { id, receipt_digest, created_day: isoDay(clock) }, token);
    const digests = [botFingerprints(vault, token.botId), tokenFingerprints(vault, token)] as const;
    // Another node may have been asked to take it at the same time.
    if (!(await donatedTokens.save(row, ...digests))) throw new AppError('token-known');
    return { id, receipt };
  };
};

const CODE_OF_VERDICT = {
  rejected: 'token-rejected',
  'not-a-bot': 'token-user',
  'in-servers': 'token-in-servers',
} as const;
