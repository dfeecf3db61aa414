import { AppError } from '#server/app-error.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import { parseReceipt, receiptDigest } from './receipt.ts';
import { botFingerprint, tokenFingerprint } from '#server/vault/sealed-row.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import { createLentTokens, type LentTokensDeps } from './lent-tokens.ts';
import { ownName, shortId } from './token-report.ts';
import { isoTime, sleep } from '#server/system.ts';
import { createAcceptToken, type AcceptTokenDeps } from './accept-token.ts';

export type Donations = ReturnType<typeof createDonations>;

type DonationsDeps = Omit<AcceptTokenDeps, 'onUncertain'> &
  LentTokensDeps & {
    readonly retirements: Retirements;
    readonly onDefect: (error: unknown) => void;
  };

const STORAGE_RETRY_MS = 60_000;
const UNDO_EVERY_MS = 1_000;
const UNDO_TRIES = 600;

export const createDonations = (deps: DonationsDeps) => {
  const { system, vault, donatedTokens, withdrawn, retirements } = deps;
  const lent = createLentTokens(deps);
  /** The donor was told that it failed, so it must not stay. */
  const undo = async (id: string): Promise<void> => {
    for (let tries = 0; tries < UNDO_TRIES; tries += 1) {
      try {
        return void (await donatedTokens.remove(id));
      } catch (error) {
        if (!isStorageFault(error)) throw error;
        await sleep(system.clock, UNDO_EVERY_MS);
      }
    }
  };
  const onUncertain = (id: string): void => void undo(id).catch(deps.onDefect);
  const acceptToken = createAcceptToken({ ...deps, onUncertain });
  /** Of the same token only one check and one row at a time. */
  const underWay = new Set<string>();

  const findRow = async (text: string): Promise<DonatedTokenRow | undefined> => {
    const receipt = parseReceipt(text);
    if (receipt !== null) return donatedTokens.find('receipt_digest', receiptDigest(receipt));
    const parsed = parseBotToken(text);
    if (!parsed.ok) return undefined;
    return donatedTokens.find('fingerprint', tokenFingerprint(vault, parsed.token));
  };

  return {
    donate: async (token: BotToken, beforeKeeping?: () => void): Promise<string> => {
      const fingerprint = tokenFingerprint(vault, token);
      if (underWay.has(fingerprint)) throw new AppError('token-known');
      underWay.add(fingerprint);
      try {
        const { id, receipt } = await acceptToken(token, beforeKeeping);
        // Somebody else who knows the token may have withdrawn it since it was saved.
        if (!withdrawn.has(id)) lent.add(id, token);
        return receipt;
      } catch (error) {
        throw visitorError(error);
      } finally {
        underWay.delete(fingerprint);
      }
    },

    withdraw: async (text: string): Promise<void> => {
      try {
        const row = await findRow(text);
        // An earlier try may have failed after its row was gone.
        if (row === undefined) return await lent.removeGone();
        try {
          await withdrawn.add(row.id, () => donatedTokens.withdraw(row.id));
        } finally {
          // Afterwards, or another node might put it back; and even after a failure, because the donor wants it out.
          await lent.remove(row.id, row);
        }
      } catch (error) {
        throw visitorError(error);
      }
    },

    refresh: lent.refresh,
    forget: lent.forget,
    /** After the platform has refused it for days, and the pool has let go of it. */
    retire: async (token: BotToken): Promise<void> => {
      // Another server may have removed the row already.
      const lentBy = lent.forget(token.botId);
      const row = await donatedTokens.find('fingerprint', tokenFingerprint(vault, token));
      const token_id = row?.id ?? lentBy ?? ownName(vault, token);
      await retirements.add({ token_id, retired_at: isoTime(system.clock), reason: 'platform' });
      if (row !== undefined) await donatedTokens.remove(row.id);
    },
    nameOf: ({ botId }: BotToken): string => shortId(lent.rowOf(botId) ?? botFingerprint(vault, botId)),
  };
};

const visitorError = (error: unknown): unknown =>
  isStorageFault(error)
    ? new AppError('storage-failed', { retryAfterMs: STORAGE_RETRY_MS, cause: error })
    : error;
