import { LRUCache } from 'lru-cache';
import { AppError } from '#server/app-error.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { WithdrawnList } from '#server/storage/withdrawn-file.ts';
import type { System } from '#server/system.ts';
import { parseBotToken, type BotToken } from '#server/tokens/bot-token.ts';
import type { DonatedTokenStore } from '#server/tokens/donated-token-store.ts';
import { createReceipt, parseReceipt } from '#server/tokens/receipt.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { Vault } from '#server/tokens/vault.ts';
import type { CheckToken } from './check-token.ts';

/** Tokens that people lend: taken in, kept sealed, used, and given back. */
export type Donations = {
  /** Resolves with the receipt once the token is on disk. Rejects with an `AppError` that says why not. */
  readonly donate: (token: BotToken) => Promise<string>;
  /** Resolves once the token is gone from pool and disk; the same whether it was there or not. */
  readonly withdraw: (tokenOrReceipt: string) => Promise<void>;
  /** Opens every stored token and puts it into the pool. */
  readonly restore: () => Promise<RestoreReport>;
  /** The platform took a token: forget it, keep the fact. */
  readonly retire: (botId: string) => Promise<void>;
};

export type RestoreReport = {
  readonly opened: number;
  readonly withdrawn: number;
  readonly unreadable: number;
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
  const { system, pool, store, vault, withdrawn, checkToken } = deps;
  const rejected = new LRUCache<string, true>({ max: REJECTED_MEMORY });
  /** Of the same token only one check and one row at a time. */
  const underWay = new Set<string>();

  const tokenPrint = (token: BotToken): string => vault.digest('fingerprint', token.secret.reveal());
  const botPrint = (botId: string): string => vault.digest('fingerprint', `bot:${botId}`);

  const judge = async (token: BotToken, fingerprint: string): Promise<void> => {
    if (rejected.has(fingerprint)) throw new AppError('token-rejected');
    if ((await store.find({ fingerprint })) !== undefined) throw new AppError('token-known');
    const verdict = await checkToken(token);
    if (verdict.kind === 'rejected' || verdict.kind === 'not-a-bot') rejected.set(fingerprint, true);
    if (verdict.kind === 'unclear') {
      throw new AppError('donations-paused', { retryAfterMs: verdict.retryAfterMs });
    }
    if (verdict.kind !== 'good') throw new AppError(CODE_OF_VERDICT[verdict.kind]);
  };

  const keep = async (token: BotToken, id: string, fingerprint: string): Promise<string> => {
    const receipt = createReceipt(system.random);
    const { kid, wrappedKey, ciphertext } = vault.seal(id, token.secret.reveal());
    await store.save({
      id,
      kid,
      wrapped_key: wrappedKey,
      ciphertext,
      fingerprint,
      bot_fingerprint: botPrint(token.botId),
      receipt_digest: vault.digest('receipt', parseReceipt(receipt) ?? receipt),
      created_day: new Date(system.clock.wallMs()).toISOString().slice(0, 10),
    });
    return receipt;
  };

  const openRow = ({ id, kid, wrapped_key, ciphertext }: DonatedTokenRow): BotToken | null => {
    const sealed = { kid, wrappedKey: Buffer.from(wrapped_key), ciphertext: Buffer.from(ciphertext) };
    const parsed = parseBotToken(vault.open(id, sealed) ?? '');
    return parsed.ok ? parsed.token : null;
  };

  const findRow = async (text: string): Promise<DonatedTokenRow | undefined> => {
    const receipt = parseReceipt(text);
    if (receipt !== null) return store.find({ receipt_digest: vault.digest('receipt', receipt) });
    const parsed = parseBotToken(text);
    return parsed.ok ? store.find({ fingerprint: tokenPrint(parsed.token) }) : undefined;
  };

  return {
    donate: async (token) => {
      const fingerprint = tokenPrint(token);
      if (underWay.has(fingerprint)) throw new AppError('token-known');
      underWay.add(fingerprint);
      try {
        await judge(token, fingerprint);
        const id = uuidFrom(system.random.bytes(16));
        const receipt = await keep(token, id, fingerprint);
        // Whoever knows the token may have withdrawn it since it was saved.
        if (!withdrawn.has(id)) pool.add(token);
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
        const token = openRow(row);
        if (token !== null) pool.remove(token.botId);
        // First the list that outlives a restored backup, then the row: a crash between the two undoes neither.
        withdrawn.add(row.id);
        await store.remove(row.id);
      } catch (error) {
        throw visitorError(error);
      }
    },

    restore: async () => {
      const report = { opened: 0, withdrawn: 0, unreadable: 0 };
      for (const row of await store.all()) {
        const token = openRow(row);
        if (withdrawn.has(row.id)) {
          await store.remove(row.id);
          report.withdrawn += 1;
        } else if (token === null) {
          report.unreadable += 1;
        } else {
          pool.add(token);
          report.opened += 1;
        }
      }
      return report;
    },

    retire: async (botId) => {
      const row = await store.find({ bot_fingerprint: botPrint(botId) });
      if (row !== undefined) await store.retire(row.id, new Date(system.clock.wallMs()).toISOString());
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
