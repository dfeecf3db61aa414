import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { WithdrawnList } from '#server/storage/withdrawn-file.ts';
import type { System } from '#server/system.ts';
import { parseBotToken, type BotToken } from '#server/tokens/bot-token.ts';
import type { DonatedTokenStore } from '#server/tokens/donated-token-store.ts';
import { createReceipt, parseReceipt, receiptDigest } from '#server/tokens/receipt.ts';
import { botFingerprints, sealColumns, tokenFingerprints } from '#server/tokens/sealed-row.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { Vault } from '#server/tokens/vault.ts';
import type { CheckToken } from './check-token.ts';
import { createLentTokens, type RefreshReport } from './lent-tokens.ts';

/** Tokens that people lend: taken in, kept sealed, used, and given back. */
export type Donations = {
  /** Resolves with the receipt once the token is on disk. Rejects with an `AppError` that says why not. */
  readonly donate: (token: BotToken) => Promise<string>;
  /** Resolves once the token is gone from pool and disk; the same whether it was there or not. */
  readonly withdraw: (tokenOrReceipt: string) => Promise<void>;
  /** Makes the pool what the database says: at the start, and when another process has written to it. */
  readonly refresh: () => Promise<RefreshReport>;
  /** The platform took a token: forget it, keep the fact. */
  readonly retire: (botId: string) => Promise<void>;
};

export type DonationsDeps = {
  readonly system: System;
  readonly pool: TokenPool;
  readonly store: DonatedTokenStore;
  readonly vault: Vault;
  readonly withdrawn: WithdrawnList;
  readonly checkToken: CheckToken;
};

/** Junk that was asked about once is not asked about again. */
const REJECTED_MEMORY = 20_000;
const STORAGE_RETRY_MS = 60_000;

export const createDonations = (deps: DonationsDeps): Donations => {
  const { system, store, vault, withdrawn, checkToken } = deps;
  const lent = createLentTokens(deps);
  const rejected = new LRUCache<string, true>({ max: REJECTED_MEMORY });
  /** Of the same token only one check and one row at a time. */
  const underWay = new Set<string>();

  const judge = async (token: BotToken, fingerprint: string): Promise<void> => {
    if (rejected.has(fingerprint)) throw new AppError('token-rejected');
    const known = await store.find('fingerprint', tokenFingerprints(vault, token));
    if (known !== undefined) throw new AppError('token-known');
    const verdict = await checkToken(token);
    if (verdict.kind === 'rejected' || verdict.kind === 'not-a-bot') rejected.set(fingerprint, true);
    if (verdict.kind === 'unclear') {
      throw new AppError('donations-paused', { retryAfterMs: verdict.retryAfterMs });
    }
    if (verdict.kind !== 'good') throw new AppError(CODE_OF_VERDICT[verdict.kind]);
  };

  const keep = async (token: BotToken, id: string): Promise<string> => {
    const receipt = createReceipt(system.random);
    const row = {
      id,
      ...sealColumns(vault, id, token),
      receipt_digest: receiptDigest(parseReceipt(receipt) ?? receipt),
      created_day: new Date(system.clock.wallMs()).toISOString().slice(0, 10),
    };
    await store.save(row, botFingerprints(vault, token.botId));
    return receipt;
  };

  const findRow = async (text: string): Promise<DonatedTokenRow | undefined> => {
    const receipt = parseReceipt(text);
    if (receipt !== null) return store.find('receipt_digest', [receiptDigest(receipt)]);
    const parsed = parseBotToken(text);
    return parsed.ok ? store.find('fingerprint', tokenFingerprints(vault, parsed.token)) : undefined;
  };

  return {
    donate: async (token) => {
      const [fingerprint] = tokenFingerprints(vault, token);
      if (underWay.has(fingerprint)) throw new AppError('token-known');
      underWay.add(fingerprint);
      try {
        await judge(token, fingerprint);
        const id = uuidFrom(system.random.bytes(16));
        const receipt = await keep(token, id);
        // Whoever knows the token may have withdrawn it since it was saved.
        if (!withdrawn.has(id)) lent.add(id, token);
        return receipt;
      } catch (error) {
        throw visitorError(error);
      } finally {
        underWay.delete(fingerprint);
      }
    },

    withdraw: async (text) => {
      try {
        const row = await findRow(text);
        if (row === undefined) return;
        lent.remove(row.id);
        // First the list that outlives a restored backup, then the row: a crash between the two undoes neither.
        withdrawn.add(row.id);
        await store.remove(row.id);
      } catch (error) {
        throw visitorError(error);
      }
    },

    refresh: lent.refresh,

    retire: async (botId) => {
      const row = await store.find('bot_fingerprint', botFingerprints(vault, botId));
      if (row === undefined) return;
      lent.forget(row.id);
      await store.retire(row.id, new Date(system.clock.wallMs()).toISOString());
    },
  };
};

const visitorError = (error: unknown): unknown =>
  isStorageFault(error)
    ? new AppError('storage-failed', { retryAfterMs: STORAGE_RETRY_MS, cause: error })
    : error;

const CODE_OF_VERDICT = {
  rejected: 'token-rejected',
  'not-a-bot': 'token-user',
  'in-servers': 'token-in-servers',
} as const;

/** Version 4, variant 1: the random bits as everybody writes them. */
const uuidFrom = (bytes: Buffer): string => {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
