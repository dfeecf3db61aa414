import type { BotToken } from '#server/platform/bot-token.ts';

export type KnownToken = { readonly id: string; readonly token: BotToken; requests: number };

/** As many as one script is told of; who differs in more looks at the others again and again. */
const MAX_STRANGE = 50;

/** The tokens whose secret this node has, and those that it met without. `idOf` must be the same on all nodes. */
export const createKnownTokens = (idOf: (token: BotToken) => string) => {
  const byBot = new Map<string, KnownToken>();
  const byId = new Map<string, KnownToken>();
  let strange: string[] = [];

  const forget = (botId: string): void => {
    const known = byBot.get(botId);
    if (known === undefined) return;
    byBot.delete(botId);
    byId.delete(known.id);
  };

  return {
    idOf,
    ofBot: (botId: string) => byBot.get(botId),
    byId: (id: string) => byId.get(id),
    isEmpty: () => byBot.size === 0,
    all: (): Iterable<KnownToken> => byBot.values(),
    add: (token: BotToken): KnownToken => {
      const known = { id: idOf(token), token, requests: 0 };
      forget(token.botId);
      byBot.set(token.botId, known);
      byId.set(known.id, known);
      strange = strange.filter((id) => id !== known.id);
      return known;
    },
    forget,
    /** Met, and not ours: left for the node that has it. */
    meet: (id: string): void => {
      strange = [...strange.slice(1 - MAX_STRANGE), id];
    },
    strange: (): readonly string[] => strange,
  };
};
