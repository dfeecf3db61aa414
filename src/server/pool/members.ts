import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenState } from '#server/rules/token-rules.ts';
import type { TokenStore } from '#server/state/token-store.ts';

export type PoolMember = { readonly id: string; readonly token: BotToken; requests: number };

export type MembersDeps = {
  readonly store: Pick<TokenStore, 'add' | 'remove'>;
  /** The name of a token in the store: the same on all servers, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  readonly onFailure: (error: unknown) => void;
};

/** The tokens whose secret this process has, one for each bot. */
export const createMembers = ({ store, idOf, onFailure }: MembersDeps) => {
  const byBot = new Map<string, PoolMember>();
  const byId = new Map<string, PoolMember>();

  const drop = (member: PoolMember): void => {
    byId.delete(member.id);
    byBot.delete(member.token.botId);
  };
  /** The name of the token to take out; undefined if there is none. */
  const forget = (botId: string, token?: BotToken): string | undefined => {
    const member = byBot.get(botId);
    const id = token === undefined ? member?.id : idOf(token);
    if (member !== undefined && member.id === id) drop(member);
    return id;
  };

  return {
    byId: (id: string): PoolMember | undefined => byId.get(id),
    /** Adds a token, or replaces the one of the same bot. It is tried before all others. */
    add: (token: BotToken): void => {
      const before = byBot.get(token.botId);
      const member: PoolMember = { id: idOf(token), token, requests: 0 };
      if (before !== undefined && before.id !== member.id) {
        drop(before);
        store.remove(before.id).catch(onFailure);
      }
      byBot.set(token.botId, member);
      byId.set(member.id, member);
      store.add(member.id);
    },
    forget,
    /**
     * Takes a bot's token out: once it resolves, no request leaves with it any more. With `token` nothing but this very
     * token, also if only another process has added it. Always makes the round trip, so that timing does not reveal
     * whether the token existed.
     */
    remove: (botId: string, token?: BotToken): Promise<void> =>
      store.remove(forget(botId, token) ?? `nobody:${botId}`),
    all: (): readonly PoolMember[] => [...byBot.values()],
  };
};

export type PoolToken = {
  readonly botId: string;
  /** Requests made with it since it was added. */
  readonly requests: number;
  readonly state: TokenState['state'];
  /** A suspect, as far as is known. */
  readonly since: string | null;
  /** Cooling. */
  readonly until: string | null;
};
