import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from './token-pool.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

export const createOwnTokens = (pool: Pick<TokenPool, 'add' | 'forget'>, fixed: readonly BotToken[]) => {
  let own: ReadonlyMap<string, BotToken> = new Map();

  return {
    /** An unchanged token is left alone: what the pool knows about it still holds, even that it is dead. */
    replace: (tokens: readonly BotToken[]) => {
      const before = own;
      own = new Map([...fixed, ...tokens].map((token) => [token.botId, token]));
      const removed = [...before.keys()].filter((botId) => !own.has(botId));
      for (const botId of removed) pool.forget(botId);
      const changed = [...own.values()].filter(
        ({ botId, secret }) => before.get(botId)?.secret.reveal() !== secret.reveal(),
      );
      for (const token of changed) pool.add(token);
      return { added: changed.map(({ botId }) => botId), removed };
    },
    all: (): readonly BotToken[] => [...own.values()],
    /** Another token of the bot had replaced the operator's own, and is gone. */
    restore: (botId: string): void => {
      const token = own.get(botId);
      if (token !== undefined) pool.add(token);
    },
  };
};
