import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import type { TokenStore } from './token-store/token-store.ts';

export type PoolMember = { readonly id: string; readonly token: BotToken; requests: number };

export type PoolMembersDeps = {
  readonly store: Pick<TokenStore, 'add' | 'remove'>;
  readonly idOf: (token: BotToken) => string;
  readonly inBackground: InBackground;
};

/** The tokens whose secret this process has, one for each bot. */
export const createPoolMembers = ({ store, idOf, inBackground }: PoolMembersDeps) => {
  const byBot = new Map<string, PoolMember>();
  const byId = new Map<string, PoolMember>();

  const drop = (member: PoolMember): void => {
    byId.delete(member.id);
    byBot.delete(member.token.botId);
  };

  return {
    byId: (id: string): PoolMember | undefined => byId.get(id),
    add: (token: BotToken): void => {
      const before = byBot.get(token.botId);
      const member: PoolMember = { id: idOf(token), token, requests: 0 };
      if (before !== undefined && before.id !== member.id) {
        drop(before);
        inBackground(() => store.remove(before.id));
      }
      byBot.set(token.botId, member);
      byId.set(member.id, member);
      store.add(member.id);
    },
    /** Always makes the round trip, so that timing does not reveal whether the token existed. */
    remove: async (botId: string, token?: BotToken): Promise<void> => {
      const member = byBot.get(botId);
      const id = token === undefined ? member?.id : idOf(token);
      if (member !== undefined && member.id === id) drop(member);
      await store.remove(id ?? `nobody:${botId}`);
    },
    all: (): readonly PoolMember[] => [...byBot.values()],
  };
};
