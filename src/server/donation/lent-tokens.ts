import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { WithdrawnList } from './withdrawn-list.ts';

export type LentTokensDeps = {
  readonly pool: TokenPool;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly withdrawn: WithdrawnList;
  readonly platformKind: DonatedTokenRow['platform'];
  /** A bot's lent token has left the pool: the operator's own token of the same bot comes back, if there is one. */
  readonly restoreOwn: (botId: string) => void;
};

export const createLentTokens = (deps: LentTokensDeps) => {
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

  let lastRefresh: Promise<unknown> = Promise.resolve();
  return {
    add,
    remove,
    /** What has no row any more, or none that may be used. */
    removeGone: async (): Promise<void> => void (await removeGone()),
    rowOf: (botId: string): string | undefined => rowOfBot.get(botId),
    /** After the pool has let go of the token by itself. */
    forget: (botId: string): string | undefined => {
      const rowId = rowOfBot.get(botId);
      rowOfBot.delete(botId);
      return rowId;
    },
    /** One at a time: two would undo each other's work. */
    refresh: () => {
      const next = lastRefresh.then(refresh, refresh);
      lastRefresh = next;
      return next;
    },
  };
};
