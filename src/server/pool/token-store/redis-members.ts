import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { Epoch } from '#server/platform/permit-store/epoch.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import { type TokenKeys } from './token-script-parts.ts';
import { ADD_TOKENS, REMOVED_MS, REMOVE_TOKEN } from './token-scripts.ts';

export type RedisMembersDeps = {
  readonly clock: Clock;
  readonly store: Pick<SharedStore, 'key' | 'session' | 'storeNowMs' | 'everySecond'>;
  readonly epoch: Epoch;
  readonly inBackground: InBackground;
  readonly keys: TokenKeys;
  /** Takes over from the records which tokens are still lent; rejects if they cannot be read. */
  readonly confirm: () => Promise<void>;
  readonly onAdded: (session: Session) => Promise<unknown>;
};

const ADD_AT_ONCE = 1_000;
/** A token that could not be put in at once is tried again. */
const RETRY_MS = 1_000;
/** For how long this node chooses only among its own tokens after it was given one whose secret it lacks. */
const CHOOSY_MS = 10_000;
/** How many of its tokens it names in one script; if there are more, others next time. */
const MAX_NAMED = 500;

/** The tokens that this node has the secrets of, kept in the store in every epoch. */
export const createRedisMembers = (deps: RedisMembersDeps) => {
  const { clock, store, epoch, inBackground, keys, confirm, onAdded } = deps;
  const ids = new Set<string>();
  let choosyUntilMs = -Infinity;
  let hasJoined = false;
  /** Own tokens that are not in the store yet, by when to try again. */
  const missing = new Map<string, number>();
  /** Tokens that were removed here, and that the store may still have. */
  const leaving = new Set<string>();
  let isConfirmed = true;
  let isBusy = false;

  const put = async (session: Session, added: readonly string[]): Promise<void> => {
    for (let n = 0; n < added.length; n += ADD_AT_ONCE) {
      const moreArgs = added.slice(n, n + ADD_AT_ONCE);
      const late = await session.run(ADD_TOKENS, { keys, args: { epoch: epoch.current() }, moreArgs });
      // In another epoch the handshake puts them in.
      if (late === null) return;
      for (const id of moreArgs) missing.delete(id);
      for (const id of late) missing.set(id, clock.monotonicMs() + REMOVED_MS);
    }
    await onAdded(session);
  };

  const takeOut = async (session: Session): Promise<void> => {
    for (const id of leaving) {
      await session.run(REMOVE_TOKEN, { keys, args: { id } });
      leaving.delete(id);
    }
  };

  const dueIds = (): string[] => {
    if (!isConfirmed) return [...ids];
    const nowMs = clock.monotonicMs();
    return [...missing].flatMap(([id, atMs]) => (atMs <= nowMs ? [id] : []));
  };

  /** A store that was lost or out of reach may not know what others have removed meanwhile; the records do. */
  const catchUp = async (): Promise<void> => {
    await takeOut(store.session());
    const due = dueIds();
    if (isConfirmed && due.length === 0) return;
    const confirmedEpoch = epoch.current();
    await confirm();
    await put(
      store.session(),
      due.filter((id) => ids.has(id)),
    );
    isConfirmed ||= confirmedEpoch === epoch.current();
  };

  const keepUp = (): void => {
    if (isBusy) return;
    isBusy = true;
    inBackground(() =>
      catchUp().finally(() => {
        isBusy = false;
      }),
    );
  };

  epoch.onJoined(async (session) => {
    if (!hasJoined) await put(session, [...ids]);
    isConfirmed = !hasJoined;
    hasJoined = true;
    keepUp();
  });
  store.everySecond(async () => keepUp());

  return {
    /** Whether this node's tokens may be used. */
    isConfirmed: () => isConfirmed,
    isEmpty: () => ids.size === 0,
    /** If not, it is left to the node that has its secret. */
    isOwn: (id: string): boolean => {
      const isOwn = ids.has(id);
      if (!isOwn) choosyUntilMs = clock.monotonicMs() + CHOOSY_MS;
      return isOwn;
    },
    /** The tokens to choose from; none if any will do. */
    choice: (): readonly string[] => {
      if (clock.monotonicMs() >= choosyUntilMs) return [];
      const named = [...ids.values().take(MAX_NAMED)];
      // To the end of the order, so that all have their turn.
      for (const id of named) ids.delete(id);
      for (const id of named) ids.add(id);
      return named;
    },
    add: (id: string): void => {
      ids.add(id);
      leaving.delete(id);
      missing.set(id, clock.monotonicMs() + RETRY_MS);
      inBackground(async () => put(store.session(), [id]));
    },
    /** Resolves once the store has neither this token nor one whose removal failed before. */
    remove: async (id: string): Promise<void> => {
      ids.delete(id);
      missing.delete(id);
      leaving.add(id);
      await takeOut(store.session());
    },
  };
};

export type RedisMembers = ReturnType<typeof createRedisMembers>;
