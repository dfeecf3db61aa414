import {
  connectPlatform,
  connectSharedPlatform,
  type SharedPlatformDeps,
} from '#server/platform/connect-platform.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { createTokenPool, type TokenPool, type TokenPoolDeps } from './token-pool.ts';
import { openMemoryTokenStore } from './token-store/memory-token-store.ts';
import { openRedisTokenStore } from './token-store/redis-token-store.ts';

export type OpenPoolDeps = Omit<SharedPlatformDeps, 'store'> &
  Pick<TokenPoolDeps, 'idOf' | 'onSuspected'> & {
    /** Null if this is the only node. */
    readonly store: SharedStore | null;
    /** Takes over from the records which tokens are still lent; rejects if they cannot be read. */
    readonly confirm: () => Promise<void>;
  };

/** The platform and the pool in front of it: of this process alone, or of all nodes together. */
export const openPool = (deps: OpenPoolDeps): { platform: Platform; pool: TokenPool } => {
  const { store, confirm, ...rest } = deps;
  const { clock } = deps.system;
  if (store === null) {
    const platform = connectPlatform(deps);
    return {
      platform,
      pool: createTokenPool({ ...rest, clock, platform, openStore: openMemoryTokenStore(clock) }),
    };
  }
  const { platform, epoch } = connectSharedPlatform({ ...rest, store });
  const openStore = openRedisTokenStore({ ...rest, clock, store, epoch, confirm });
  return { platform, pool: createTokenPool({ ...rest, clock, platform, openStore }) };
};
