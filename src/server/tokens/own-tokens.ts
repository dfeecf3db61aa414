import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from './token-pool.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

export const createOwnTokens = (pool: Pick<TokenPool, 'add'>, tokens: readonly BotToken[]) => {
  const own = new Map(tokens.map((token) => [token.botId, token]));
  for (const token of own.values()) pool.add(token);

  return {
    all: (): readonly BotToken[] => [...own.values()],
    /** Another token of the bot had replaced the operator's own, and is gone. */
    restore: (botId: string): void => {
      const token = own.get(botId);
      if (token !== undefined) pool.add(token);
    },
  };
};
