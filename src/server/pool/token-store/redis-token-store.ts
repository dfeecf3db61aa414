import { FLIGHT_MS, STORE_POLL_MS } from '#server/deadlines.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { CancelTimer } from '#server/system.ts';
import { refillMs } from '../rules/token-budget.ts';
import { stateOf } from '../rules/token-record.ts';
import { createPoolSnapshot } from './pool-snapshot.ts';
import { createRedisMembers, type RedisMembersDeps } from './redis-members.ts';
import { createRedisSuspects } from './redis-suspects.ts';
import { encodeRecord, tokenEpochKeys, tokenKeys, toScore } from './token-script-parts.ts';
import { GIVE_BACK_TOKEN, PUT_TOKEN, READ_TOKENS, TAKE_TOKEN } from './token-scripts.ts';
import type { OpenTokenStore, TakenToken, TokenStore } from './token-store.ts';

export type RedisTokenStoreDeps = Omit<RedisMembersDeps, 'keys' | 'onAdded'>;

/** Clocks drift by less. */
const MOST_AHEAD_MS = 50;

/** The tokens of all nodes together. */
export const openRedisTokenStore =
  (deps: RedisTokenStoreDeps): OpenTokenStore =>
  (onChange) => {
    const { clock, store, epoch, inBackground } = deps;
    const keys = tokenKeys(store.key);
    epoch.covers(tokenEpochKeys(keys));
    const snapshot = createPoolSnapshot(clock, keys);
    const refresh = async (session: Session): Promise<boolean> => {
      const isWhole = await snapshot.refresh(session);
      onChange();
      return isWhole;
    };
    const members = createRedisMembers({ ...deps, keys, onAdded: refresh });
    store.everySecond(async (session) => {
      if (!(await refresh(session))) await epoch.end(session);
    });
    let freeAtMs = -Infinity;
    let cancelPoll: CancelTimer | null = null;

    /** Another node may free or add a token without telling us. */
    const refuse = (waitMs: number): null => {
      freeAtMs = clock.monotonicMs() + waitMs;
      cancelPoll ??= clock.after(STORE_POLL_MS, () => {
        cancelPoll = null;
        onChange();
      });
      return null;
    };

    const giveBack: TokenStore['giveBack'] = async ({ id, lock, epoch: takenIn }, freeAt) => {
      const args = { epoch: takenIn, id, lock, freeAt: toScore(freeAt) };
      await store.session().run(GIVE_BACK_TOKEN, { keys, args });
    };

    const take = async (): Promise<TakenToken | null> => {
      if (members.isEmpty()) return null;
      if (!members.isConfirmed()) return refuse(STORE_POLL_MS);
      const session = store.session();
      const input = { keys, args: { epoch: epoch.current() }, moreArgs: members.choice() };
      // What was said last holds only if there is still nothing to take.
      freeAtMs = -Infinity;
      const reply = await session.run(TAKE_TOKEN, input);
      if (reply.kind === 'refused') return refuse(reply.waitMs ?? Infinity);
      if (reply.kind === 'stale-epoch') {
        await epoch.rejoin(session);
        return refuse(STORE_POLL_MS);
      }
      const isOwn = members.isOwn(reply.taken.id);
      // Its clock may be too far ahead, so that it takes for refilled what is not.
      const isEarly = reply.taken.takenMs > store.storeNowMs() + MOST_AHEAD_MS;
      if (isOwn && !isEarly) return reply.taken;
      await giveBack(reply.taken, 0);
      // Removed meanwhile, or another's: the next attempt is among our own.
      return isEarly || input.moreArgs.length > 0 ? refuse(STORE_POLL_MS) : take();
    };

    const put: TokenStore['put'] = ({ id, epoch: takenIn, old, next, freeAtMs: freeAt, because }) => {
      epoch.learnRefill(refillMs(next));
      const awayUntilMs = (next.inFlightMs[0] ?? store.storeNowMs()) + FLIGHT_MS;
      return store.session().run(PUT_TOKEN, {
        keys,
        args: {
          epoch: takenIn,
          id,
          old: encodeRecord(old),
          next: encodeRecord(next),
          freeAt: freeAt === Infinity ? 'away' : toScore(freeAt),
          awayUntil: toScore(awayUntilMs),
          coolUntil: toScore(next.coolUntilMs),
          because,
        },
      });
    };

    return {
      nowMs: store.storeNowMs,
      add: members.add,
      remove: async (id) => {
        await members.remove(id);
        inBackground(() => refresh(store.session()));
      },
      take,
      giveBack,
      put: async (change) => put(change),
      ...createRedisSuspects({ store, epoch, keys, members, snapshot, refresh }),
      freeAtMs: () => freeAtMs,
      suspectAtMs: snapshot.suspectAtMs,
      counts: snapshot.counts,
      states: async () => {
        const { usable, suspects, records } = await store.session().run(READ_TOKENS, { keys, args: {} });
        const nowMs = store.storeNowMs();
        const withState = (isSuspect: boolean) => (id: string) =>
          [id, stateOf(records.get(id) ?? null, isSuspect, nowMs)] as const;
        return new Map([...usable.map(withState(false)), ...suspects.map(withState(true))]);
      },
      // A token that only others can use is of no use here.
      size: () => ({
        tokens: members.isEmpty() ? 0 : snapshot.tokens(),
        suspects: snapshot.counts().suspect,
      }),
    };
  };
