import { AppError } from '#server/app-error.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import { isStorageFault } from '#server/storage/storage-fault.ts';
import { isoTime, sleep, type System } from '#server/system.ts';
import type { Retirements } from '#server/tokens/retirements.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { DonatedTokenStore } from '#server/vault/donated-tokens.ts';
import { botFingerprint, openRow, tokenFingerprint } from '#server/vault/donated-tokens.ts';
import type { OpenedVault } from '#server/vault/open-vault.ts';
import { createAcceptToken, type CheckToken } from './accept-token.ts';
import { parseReceipt, receiptDigest } from './receipt.ts';
import { ownName, shortId } from './token-report.ts';
import type { WithdrawnList } from './withdrawn-list.ts';

export type Donations = ReturnType<typeof createDonations>;

type DonationsDeps = {
  readonly system: System;
  readonly vault: OpenedVault;
  readonly donatedTokens: DonatedTokenStore;
  readonly withdrawn: WithdrawnList;
  readonly pool: TokenPool;
  readonly retirements: Retirements;
  readonly checkToken: CheckToken;
  readonly platformKind: DonatedTokenRow['platform'];
  readonly onDefect: (error: unknown) => void;
  /** A bot's lent token has left the pool: the operator's own token of the same bot comes back, if there is one. */
  readonly restoreOwn: (botId: string) => void;
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

  const findRow = async (text: string): Promise<DonatedTokenRow | undefined> => {
    const receipt = parseReceipt(text);
    if (receipt !== null) return donatedTokens.find('receipt_digest', receiptDigest(receipt));
    const parsed = parseBotToken(text);
    if (!parsed.ok) return undefined;
    return donatedTokens.find('fingerprint', tokenFingerprint(vault, parsed.token));
  };

  const withdraw = async (text: string): Promise<void> => {
    const row = await findRow(text);
    if (row === undefined) {
      // Under another key its fingerprint would be another.
      await vault.refuseOtherKey();
      // An earlier try may have failed after its row was gone.
      return void (await lent.removeGone());
    }
    try {
      await withdrawn.add(row.id, () => donatedTokens.withdraw(row.id));
    } finally {
      // Afterwards, or another node might put it back; and even after a failure, because the donor wants it out.
      await lent.remove(row.id, row);
    }
  };

  return {
    donate: async (token: BotToken, beforeKeeping?: () => void): Promise<string> => {
      const { id, receipt } = await acceptToken(token, beforeKeeping).catch(tellVisitor);
      // Somebody else who knows the token may have withdrawn it since it was saved.
      if (!withdrawn.has(id)) lent.add(id, token);
      return receipt;
    },
    withdraw: (text: string): Promise<void> => withdraw(text).catch(tellVisitor),
    refresh: lent.refresh,
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

const tellVisitor = (error: unknown): never => {
  throw isStorageFault(error)
    ? new AppError('storage-failed', { retryAfterMs: STORAGE_RETRY_MS, cause: error })
    : error;
};

/** The stored tokens that are in the pool. */
const createLentTokens = (deps: DonationsDeps) => {
  const { pool, donatedTokens, vault, withdrawn, platformKind, restoreOwn } = deps;
  /** A bot has one token: a new row of the same bot replaces the old one. */
  const rowOfBot = new Map<string, string>();

  const add = (rowId: string, token: BotToken): void => {
    rowOfBot.set(token.botId, rowId);
    pool.add(token);
  };
  const takeOut = async (rowId: string, row?: DonatedTokenRow): Promise<void> => {
    const [lentBy] = [...rowOfBot].find(([, lent]) => lent === rowId) ?? [];
    const token = lentBy === undefined && row !== undefined ? openRow(vault, row) : null;
    const botId = lentBy ?? token?.botId;
    if (botId === undefined) return;
    await pool.remove(botId, token ?? undefined);
    // A new row of the bot may have come meanwhile.
    if (rowOfBot.get(botId) === rowId) rowOfBot.delete(botId);
    if (!rowOfBot.has(botId)) restoreOwn(botId);
  };
  const leaving = new Map<string, Promise<void>>();
  /** `row` if there is one: another process may have put its token into the pool. Who asks again waits for the same. */
  const remove = (rowId: string, row?: DonatedTokenRow): Promise<void> => {
    const left = leaving.get(rowId) ?? takeOut(rowId, row).finally(() => leaving.delete(rowId));
    leaving.set(rowId, left);
    return left;
  };

  /** What has no row any more, or none that may be used. */
  const removeGone = async () => {
    // Before the database is read: what is donated from now on may not be in it yet, and must stay in the pool.
    const lent = new Set(rowOfBot.values());
    const stored = await donatedTokens.outlines();
    const revived = new Set(stored.flatMap(({ id }) => (withdrawn.has(id) ? [id] : [])));
    for (const id of revived) await donatedTokens.withdraw(id);
    // Another machine's list may name any of them.
    const kept = withdrawn.isComplete() ? stored.filter(({ id }) => !revived.has(id)) : [];
    const usable = new Set(kept.flatMap(({ id, platform }) => (platform === platformKind ? [id] : [])));
    const gone = lent.difference(usable);
    // Together: each waits until the last request with its token has left.
    await Promise.all([...gone].map((rowId) => remove(rowId)));
    const otherPlatform = kept.length - usable.size;
    return { missing: usable.difference(lent), removed: gone.union(revived).size, otherPlatform };
  };

  const refresh = async () => {
    // First out, then in: a bot whose token was replaced is in both.
    const { missing, ...report } = await removeGone();
    let [opened, unreadable] = [0, 0];
    for await (const row of donatedTokens.withIds([...missing])) {
      // Withdrawn since the rows were read; that removes the row.
      if (withdrawn.has(row.id)) continue;
      const token = openRow(vault, row);
      if (token === null) unreadable += 1;
      else if (rowOfBot.get(token.botId) !== row.id) {
        add(row.id, token);
        opened += 1;
      }
    }
    return { ...report, opened, unreadable };
  };

  return {
    add,
    remove,
    removeGone,
    refresh,
    rowOf: (botId: string): string | undefined => rowOfBot.get(botId),
    /** After the pool has let go of the token by itself. */
    forget: (botId: string): string | undefined => {
      const rowId = rowOfBot.get(botId);
      rowOfBot.delete(botId);
      return rowId;
    },
  };
};
