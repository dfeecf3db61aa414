import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/tokens/token-pool.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore, RowOutline } from '#server/vault/donated-token-store.ts';
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

const NO_BOT = '0';

/** The version is null until the row was read from the database. */
type LentRow = { readonly id: string; rowVersion: string | null };

export const createLentTokens = (deps: LentTokensDeps) => {
  const { pool, donatedTokens, vault, withdrawn, platformKind, restoreOwn } = deps;
  /** A bot has one token: a new row of the same bot replaces the old one. */
  const rowOfBot = new Map<string, LentRow>();

  const add = (id: string, token: BotToken, rowVersion: string | null = null): void => {
    rowOfBot.set(token.botId, { id, rowVersion });
    pool.add(token);
  };
  /** `row` if there is one: another process may have put its token into the pool. */
  const remove = async (rowId: string, row?: DonatedTokenRow): Promise<void> => {
    const [lentBy] = [...rowOfBot].find(([, { id }]) => id === rowId) ?? [];
    // Opened only if it must be: a token that is in the pool takes no longer than one that never existed.
    const token = lentBy === undefined && row !== undefined ? openRow(vault, row) : null;
    const botId = lentBy ?? token?.botId ?? NO_BOT;
    // Always make the round trip, for the same reason.
    await pool.remove(botId, token ?? undefined);
    // A new row of the bot may have come meanwhile.
    if (rowOfBot.get(botId)?.id === rowId) rowOfBot.delete(botId);
    if (!rowOfBot.has(botId)) restoreOwn(botId);
  };

  const readRow = async (row: DonatedTokenRow): Promise<'opened' | 'unreadable' | null> => {
    // Withdrawn since the rows were read; that removes the row.
    if (withdrawn.has(row.id)) return null;
    const token = openRow(vault, row);
    if (token === null) {
      // Altered while it was in use: its receipt may now be another donor's.
      await remove(row.id);
      return 'unreadable';
    }
    const lent = rowOfBot.get(token.botId);
    if (lent?.id !== row.id) {
      add(row.id, token, versionOf(row));
      return 'opened';
    }
    lent.rowVersion = versionOf(row);
    return null;
  };

  const refresh = async () => {
    const report = { opened: 0, removed: 0, unreadable: 0, otherPlatform: 0 };
    // Before the database is read: what is donated from now on may not be in it yet, and must stay in the pool.
    const lent = new Map([...rowOfBot.values()].map((row) => [row.id, row]));
    const stored = await donatedTokens.outlines();
    for (const { id } of stored.filter(({ id }) => withdrawn.has(id))) {
      await donatedTokens.remove(id);
      report.removed += Number(!lent.has(id));
    }
    // Another machine's list may name any of them.
    const kept = withdrawn.isComplete() ? stored.filter(({ id }) => !withdrawn.has(id)) : [];
    const outlines = kept.filter(({ platform }) => platform === platformKind);
    report.otherPlatform = kept.length - outlines.length;
    const present = new Set(outlines.map(({ id }) => id));
    // First out, then in: a bot whose token was replaced is in both.
    const gone = [...new Set(lent.keys()).difference(present)];
    // Together: each waits until the last request with its token has left.
    await Promise.all(gone.map((rowId) => remove(rowId)));
    report.removed += gone.length;
    const unread = outlines.filter((row) => lent.get(row.id)?.rowVersion !== versionOf(row));
    for await (const row of donatedTokens.withIds(unread.map(({ id }) => id))) {
      const outcome = await readRow(row);
      if (outcome !== null) report[outcome] += 1;
    }
    return report;
  };

  let lastRefresh: Promise<unknown> = Promise.resolve();
  return {
    add: (rowId: string, token: BotToken): void => add(rowId, token),
    remove,
    rowOf: (botId: string): string | undefined => rowOfBot.get(botId)?.id,
    /** After the pool has let go of the token by itself. */
    forget: (botId: string): string | undefined => {
      const rowId = rowOfBot.get(botId)?.id;
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

const versionOf = ({ kid, fingerprint, bot_fingerprint, receipt_digest, created_day }: RowOutline): string =>
  [kid, fingerprint, bot_fingerprint, receipt_digest, created_day].join();
