import type { InBackground } from '#server/storage/redis/in-background.ts';
import type { Epoch } from '#server/platform/permit-store/epoch.ts';
import type { Session } from '#server/storage/redis/session.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import { type TokenKeys } from './token-script-parts.ts';
import { ADD_TOKENS, REMOVED_MS } from './token-scripts.ts';

export type RedisMembersDeps = {
  readonly clock: Clock;
  readonly store: Pick<SharedStore, 'key' | 'session' | 'storeNowMs' | 'everySecond'>;
  readonly epoch: Epoch;
  readonly inBackground: InBackground;
  readonly keys: TokenKeys;
  /** Takes over from the records which tokens are still lent; rejects if they cannot be read. */
  readonly confirm: () => Promise<void>;
  readonly onAdded: (session: Session) => Promise<void>;
};

const ADD_AT_ONCE = 1_000;
/** How many tokens of others one script is told of; a node that lacks more meets the rest again and again. */
const MAX_FOREIGN = 50;

/** The tokens that this node has the secrets of, kept in the store in every epoch. */
export const createRedisMembers = (deps: RedisMembersDeps) => {
  const { clock, store, epoch, inBackground, keys, confirm, onAdded } = deps;
  const ids = new Set<string>();
  let foreignIds: readonly string[] = [];
  let hasJoined = false;
  let isConfirmed = true;
  let confirming: Promise<void> | null = null;

  const put = async (session: Session, added: readonly string[]): Promise<void> => {
    for (let n = 0; n < added.length; n += ADD_AT_ONCE) {
      const moreArgs = added.slice(n, n + ADD_AT_ONCE);
      const late = await session.run(ADD_TOKENS, { keys, args: { epoch: epoch.current() }, moreArgs });
      if (late.length > 0) clock.after(REMOVED_MS, () => inBackground(() => putLater(late)));
    }
    await onAdded(session);
  };

  const putLater = async (late: readonly string[]): Promise<void> => {
    await confirm();
    await put(
      store.session(),
      late.filter((id) => ids.has(id)),
    );
  };

  /** A store that was lost or out of reach may not know what others have removed meanwhile; the records do. */
  const confirmAll = async (): Promise<void> => {
    const confirmedEpoch = epoch.current();
    await confirm();
    await put(store.session(), [...ids]);
    isConfirmed = confirmedEpoch === epoch.current();
  };

  const keepConfirmed = (): void => {
    if (isConfirmed || confirming !== null) return;
    confirming = confirmAll().finally(() => {
      confirming = null;
    });
    inBackground(() => confirming ?? Promise.resolve());
  };

  epoch.onJoined(async (session) => {
    if (!hasJoined) await put(session, [...ids]);
    isConfirmed = !hasJoined;
    hasJoined = true;
    keepConfirmed();
  });
  store.everySecond(async () => keepConfirmed());

  return {
    /** Whether this node's tokens may be used. */
    isConfirmed: () => isConfirmed,
    isEmpty: () => ids.size === 0,
    /** If not, it is left for the node that has its secret, and not offered to us again. */
    isOwn: (id: string): boolean => {
      const isOwn = ids.has(id);
      if (!isOwn) foreignIds = [...foreignIds.slice(1 - MAX_FOREIGN), id];
      return isOwn;
    },
    foreignIds: () => foreignIds,
    add: (id: string): void => {
      ids.add(id);
      foreignIds = foreignIds.filter((foreign) => foreign !== id);
      inBackground(async () => put(store.session(), [id]));
    },
    forget: (id: string) => ids.delete(id),
  };
};

export type RedisMembers = ReturnType<typeof createRedisMembers>;
