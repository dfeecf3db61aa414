import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import type { DonatedTokenRow } from '#server/storage/schema.ts';
import type { DonatedTokenStore, RowOutline } from '#server/vault/donated-token-store.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import type { WithdrawnList } from './withdrawn-list.ts';

export type RefreshReport = {
  readonly opened: number;
  readonly removed: number;
  readonly unreadable: number;
};

export type LentTokensDeps = {
  readonly pool: TokenPool;
  readonly donatedTokens: DonatedTokenStore;
  readonly vault: Vault;
  readonly withdrawn: WithdrawnList;
};

/** No bot has this id. */
const NOBODY = '0';

/** A row whose token is in the pool, with what it said when it was last opened; null if it never was. */
type LentRow = { readonly id: string; said: string | null };

/** The stored tokens that are in the pool, by the row they come from. */
export const createLentTokens = ({ pool, donatedTokens, vault, withdrawn }: LentTokensDeps) => {
  /** A bot has one token: a new row of the same bot takes the place of the old one. */
  const rowOfBot = new Map<string, LentRow>();

  const add = (id: string, token: BotToken, said: string | null = null): void => {
    rowOfBot.set(token.botId, { id, said });
    pool.add(token);
  };
  /** `row` if there is one: another process may have put its token into the pool. */
  const remove = async (rowId: string, row?: DonatedTokenRow): Promise<void> => {
    const [botId] = [...rowOfBot].find(([, { id }]) => id === rowId) ?? [];
    const token = (row && openRow(vault, row)) ?? undefined;
    // Also for nobody, or the time it takes would tell whether there was somebody.
    await pool.remove(botId ?? token?.botId ?? NOBODY, token);
    if (botId !== undefined) rowOfBot.delete(botId);
  };

  /** What became of a row that is new, or says something else than before. */
  const takeOver = async (
    row: DonatedTokenRow,
    lent: LentRow | undefined,
  ): Promise<keyof RefreshReport | null> => {
    const token = openRow(vault, row);
    if (withdrawn.has(row.id)) {
      await donatedTokens.remove(row.id);
      return 'removed';
    }
    if (token === null) {
      // Altered while it was in use: its receipt may now be another donor's.
      await remove(row.id);
      return 'unreadable';
    }
    if (lent === undefined) add(row.id, token, saidBy(row));
    else lent.said = saidBy(row);
    return lent === undefined ? 'opened' : null;
  };

  return {
    add: (rowId: string, token: BotToken): void => add(rowId, token),
    remove,
    /** The pool has let go of a bot's token by itself. Tells which row it came from. */
    forget: (botId: string): string | undefined => {
      const rowId = rowOfBot.get(botId)?.id;
      rowOfBot.delete(botId);
      return rowId;
    },
    /** Makes the pool what the database says: at the start, and when another process has written to it. */
    refresh: async (): Promise<RefreshReport> => {
      const report = { opened: 0, removed: 0, unreadable: 0 };
      const outlines = await donatedTokens.outlines();
      const present = new Set(outlines.map(({ id }) => id));
      const lent = new Map([...rowOfBot.values()].map((row) => [row.id, row]));
      // First out, then in: a bot whose token was replaced is in both.
      for (const rowId of new Set(lent.keys()).difference(present)) {
        await remove(rowId);
        report.removed += 1;
      }
      const unread = outlines.filter((row) => lent.get(row.id)?.said !== saidBy(row)).map(({ id }) => id);
      for await (const row of donatedTokens.withIds(unread)) {
        const outcome = await takeOver(row, lent.get(row.id));
        if (outcome !== null) report[outcome] += 1;
      }
      return report;
    },
  };
};

const saidBy = ({ kid, fingerprint, bot_fingerprint, receipt_digest, created_day }: RowOutline): string =>
  [kid, fingerprint, bot_fingerprint, receipt_digest, created_day].join();
