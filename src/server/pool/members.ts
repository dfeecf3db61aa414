import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenState } from '#server/rules/token-rules.ts';
import type { TokenStore } from '#server/state/token-store.ts';

type PoolMember = { readonly id: string; readonly token: BotToken; requests: number };

export type MembersDeps = {
  readonly store: Pick<TokenStore, 'add' | 'remove'>;
  /** The name of a token in the store: the same on all servers, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  readonly onFailure: (error: unknown) => void;
};

export const createMembers = ({ store, idOf, onFailure }: MembersDeps) => {
  const byBot = new Map<string, PoolMember>();
  const byId = new Map<string, PoolMember>();

  const drop = (member: PoolMember): void => {
    byId.delete(member.id);
    byBot.delete(member.token.botId);
  };
  const forget = (botId: string, token?: BotToken): string | undefined => {
    const member = byBot.get(botId);
    const id = token === undefined ? member?.id : idOf(token);
    if (member !== undefined && member.id === id) drop(member);
    return id;
  };

  return {
    byId: (id: string): PoolMember | undefined => byId.get(id),
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
    /** With `token`, only that one. */
    remove: async (botId: string, token?: BotToken): Promise<void> => {
      const id = forget(botId, token);
      if (id !== undefined) await store.remove(id);
    },
    all: (): readonly PoolMember[] => [...byBot.values()],
  };
};

export type PoolToken = {
  readonly botId: string;
  readonly requests: number;
  readonly state: TokenState['state'];
  readonly since: string | null;
  readonly until: string | null;
};
