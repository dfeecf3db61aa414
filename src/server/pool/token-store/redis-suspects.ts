import type { Epoch } from '#server/platform/permit-store/epoch.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { PoolSnapshot } from './pool-snapshot.ts';
import type { RedisMembers } from './redis-members.ts';
import { CHANGE_SUSPICION, GIVE_BACK_SUSPECT, TAKE_SUSPECT } from './suspect-scripts.ts';
import { type TokenKeys, toScore } from './token-script-parts.ts';
import type { TakenToken, TokenStore } from './token-store.ts';

export type RedisSuspectsDeps = {
  readonly store: Pick<SharedStore, 'session'>;
  readonly epoch: Epoch;
  readonly keys: TokenKeys;
  readonly members: RedisMembers;
  readonly snapshot: PoolSnapshot;
  readonly refresh: (session: Session) => Promise<unknown>;
};

const NO_SUSPECT = { id: '', freeAtMs: 0, coolUntilMs: 0 };
const NOT_NOW_MS = 1_000;

/** Tokens that no node uses until one of them has checked it. */
export const createRedisSuspects = (
  deps: RedisSuspectsDeps,
): Pick<TokenStore, 'takeSuspect' | 'giveBackSuspect' | 'changeSuspicion'> => {
  const { store, epoch, keys, members, snapshot, refresh } = deps;

  const giveBackSuspect = async ({ lock, epoch: takenIn }: TakenToken): Promise<void> => {
    await store.session().run(GIVE_BACK_SUSPECT, { keys, args: { epoch: takenIn, lock } });
  };

  const refuse = (waitMs: number): null => {
    snapshot.postponeCheck(waitMs);
    return null;
  };

  return {
    takeSuspect: async () => {
      if (members.isEmpty() || !members.isConfirmed()) return refuse(NOT_NOW_MS);
      const input = { keys, args: { epoch: epoch.current() }, moreArgs: members.choice() };
      const reply = await store.session().run(TAKE_SUSPECT, input);
      if (reply.kind === 'refused') return refuse(reply.waitMs ?? Infinity);
      if (reply.kind === 'stale-epoch') return refuse(NOT_NOW_MS);
      snapshot.postponeCheck(Infinity);
      if (members.isOwn(reply.taken.id)) return reply.taken;
      await giveBackSuspect(reply.taken);
      return null;
    },
    giveBackSuspect,
    changeSuspicion: async ({ old, next, nextIfNone, effect }) => {
      const session = store.session();
      const { id, freeAtMs, coolUntilMs } = 'id' in effect ? effect : NO_SUSPECT;
      const reply = await session.run(CHANGE_SUSPICION, {
        keys,
        args: {
          epoch: epoch.current(),
          old: JSON.stringify(old),
          next: JSON.stringify(next),
          nextIfNone: JSON.stringify(nextIfNone),
          effect: effect.kind,
          id,
          freeAt: toScore(freeAtMs),
          coolUntil: toScore(coolUntilMs),
        },
      });
      if (reply.kind === 'changed') return { changed: reply.suspicion };
      await refresh(session);
      return { wasSuspect: reply.kind === 'put' && reply.wasSuspect };
    },
  };
};
