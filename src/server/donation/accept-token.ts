import { AppError } from '#server/app-error.ts';
import { TURN_MS } from '#server/deadlines.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { Platform } from '#server/platform/platform.ts';
import { addInvalid, invalidFreeAt, TOKEN_CHECK_LIMIT, type InvalidCell } from '#server/platform/standing.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import { isoDay, type Clock, type System } from '#server/system.ts';
import { sealRow, tokenFingerprint, type DonatedTokenStore } from '#server/vault/donated-tokens.ts';
import type { Vault } from '#server/vault/vault.ts';
import { createReceipt, parseReceipt, receiptDigest } from './receipt.ts';

export type TokenVerdict =
  | { readonly kind: 'good' | 'rejected' | 'not-a-bot' | 'in-servers' }
  | { readonly kind: 'unclear'; readonly retryAfterMs: number };

export type CheckToken = (token: BotToken) => Promise<TokenVerdict>;

/** In ten minutes; far below what would stop the lookups. */
const MAX_FAILED_CHECKS = 100;
const UNCLEAR_RETRY_MS = 60_000;
const UNCLEAR: TokenVerdict = { kind: 'unclear', retryAfterMs: UNCLEAR_RETRY_MS };

export const createCheckToken = (clock: Clock, platform: Platform): CheckToken => {
  /** Failed checks alone: junk must not use up what lookups live on. Forgotten with the process. */
  let failedChecks: readonly InvalidCell[] = [];
  let underWay = 0;

  const waitMs = (): number => {
    const nowMs = clock.monotonicMs();
    if (platform.invalidRequests() >= TOKEN_CHECK_LIMIT) return UNCLEAR_RETRY_MS;
    const checks = { limit: MAX_FAILED_CHECKS, pending: underWay };
    const checksFreeAt = invalidFreeAt(failedChecks, nowMs, checks);
    return Math.max(platform.waitMs('getOwnUser'), checksFreeAt - nowMs);
  };

  const check = async (token: BotToken): Promise<TokenVerdict> => {
    const owner = await (await platform.requestPermit('getOwnUser'))?.send(token);
    if (owner?.kind === 'unauthorized') {
      failedChecks = addInvalid(failedChecks, clock.monotonicMs());
      return { kind: 'rejected' };
    }
    if (owner?.kind !== 'found') return UNCLEAR;
    if (!owner.value.bot || owner.value.id !== token.botId) return { kind: 'not-a-bot' };
    const application = await (await platform.requestPermit('getOwnApplication'))?.send(token);
    if (application?.kind !== 'found') return UNCLEAR;
    return application.value.guildCount > 0 ? { kind: 'in-servers' } : { kind: 'good' };
  };

  return async (token) => {
    const retryAfterMs = waitMs();
    // Nobody knows when, while the checks under way alone are too many.
    if (retryAfterMs === Infinity) return UNCLEAR;
    if (retryAfterMs > TURN_MS) return { kind: 'unclear', retryAfterMs };
    underWay += 1;
    try {
      return await check(token);
    } finally {
      underWay -= 1;
    }
  };
};

export type AcceptToken = ReturnType<typeof createAcceptToken>;

type AcceptTokenDeps = {
  readonly system: System;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly checkToken: CheckToken;
  readonly platformKind: DonatedTokenRow['platform'];
  /** It failed, but the row may have been stored. */
  readonly onUncertain?: (id: string) => void;
};

const CODE_OF_VERDICT = {
  rejected: 'token-rejected',
  'not-a-bot': 'token-user',
  'in-servers': 'token-in-servers',
} as const;

export const createAcceptToken = (deps: AcceptTokenDeps) => {
  const { system, donatedTokens, vault, checkToken, platformKind, onUncertain } = deps;
  /** Of the same token only one check at a time. */
  const underWay = new Set<string>();

  const judge = async (token: BotToken, fingerprint: string): Promise<void> => {
    if ((await donatedTokens.find('fingerprint', fingerprint)) !== undefined)
      throw new AppError('token-known');
    const verdict = await checkToken(token);
    if (verdict.kind === 'good') return;
    if (verdict.kind === 'unclear')
      throw new AppError('donations-paused', { retryAfterMs: verdict.retryAfterMs });
    throw new AppError(CODE_OF_VERDICT[verdict.kind]);
  };

  const keep = async (token: BotToken) => {
    const id = system.random.uuid();
    const receipt = createReceipt(system.random);
    const receipt_digest = receiptDigest(parseReceipt(receipt) ?? receipt);
    const identity = { id, receipt_digest, created_day: isoDay(system.clock), platform: platformKind };
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

  return async (token: BotToken, beforeKeeping?: () => void) => {
    const fingerprint = tokenFingerprint(vault, token);
    if (underWay.has(fingerprint)) throw new AppError('token-known');
    underWay.add(fingerprint);
    try {
      await judge(token, fingerprint);
      beforeKeeping?.();
      return await keep(token);
    } finally {
      underWay.delete(fingerprint);
    }
  };
};
