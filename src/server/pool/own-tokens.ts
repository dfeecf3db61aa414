import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenPool } from './token-pool.ts';

export type OwnTokens = ReturnType<typeof createOwnTokens>;

export const createOwnTokens = (
  pool: Pick<TokenPool, 'add' | 'remove'>,
  fixed: readonly BotToken[],
  onFailure: (error: unknown) => void,
) => {
  const own = new Map<string, BotToken>();
  const kept = new Map(fixed.map((token) => [token.botId, token]));
  for (const token of fixed) pool.add(token);

  return {
    /** An unchanged token is left alone: what the pool knows about it still holds, even that it is dead. */
    replace: (tokens: readonly BotToken[]) => {
      const wanted = new Set(tokens.map(({ botId }) => botId));
      const removed = [...own.keys()].filter((botId) => !wanted.has(botId));
      for (const botId of removed) {
        own.delete(botId);
        if (!kept.has(botId)) pool.remove(botId).catch(onFailure);
      }
      const changed = tokens.filter(
        ({ botId, secret }) => own.get(botId)?.secret.reveal() !== secret.reveal(),
      );
      for (const token of changed) {
        own.set(token.botId, token);
        pool.add(token);
      }
      return { added: changed.map(({ botId }) => botId), removed };
    },
    all: (): readonly BotToken[] => [...new Map([...kept, ...own]).values()],
    /** Another token of the bot had replaced the operator's own, and is gone. */
    restore: (botId: string): void => {
      const token = own.get(botId) ?? kept.get(botId);
      if (token !== undefined) pool.add(token);
    },
  };
};
