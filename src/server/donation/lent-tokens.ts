import type { WithdrawnList } from './withdrawn-file.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { DonatedTokenStore } from '#server/vault/donated-token-store.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import type { Vault } from '#server/vault/vault.ts';

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

/** The stored tokens that are in the pool, by the row they come from. */
export const createLentTokens = ({ pool, donatedTokens, vault, withdrawn }: LentTokensDeps) => {
  /** A bot has one token: a new row of the same bot takes the place of the old one. */
  const rowOfBot = new Map<string, string>();

  const add = (rowId: string, token: BotToken): void => {
    rowOfBot.set(token.botId, rowId);
    pool.add(token);
  };
  const remove = (rowId: string): void => {
    const [botId] = [...rowOfBot].find(([, row]) => row === rowId) ?? [];
    if (botId === undefined) return;
    rowOfBot.delete(botId);
    pool.remove(botId);
  };

  return {
    add,
    remove,
    /** The pool has let go of a bot's token by itself. */
    forget: (botId: string): void => void rowOfBot.delete(botId),
    /** Makes the pool what the database says: at the start, and when another process has written to it. */
    refresh: async (): Promise<RefreshReport> => {
      const report = { opened: 0, removed: 0, unreadable: 0 };
      const rows = await donatedTokens.all();
      const present = new Set(rows.map(({ id }) => id));
      const lent = new Set(rowOfBot.values());
      // First out, then in: a bot whose token was replaced is in both.
      for (const rowId of lent.difference(present)) {
        remove(rowId);
        report.removed += 1;
      }
      for (const row of rows.filter(({ id }) => !lent.has(id))) {
        const token = openRow(vault, row);
        if (withdrawn.has(row.id)) {
          await donatedTokens.remove(row.id);
          report.removed += 1;
        } else if (token === null) {
          report.unreadable += 1;
        } else {
          add(row.id, token);
          report.opened += 1;
        }
      }
      return report;
    },
  };
};
