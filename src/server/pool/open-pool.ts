import type { BotToken } from '#server/platform/bot-token.ts';
import {
  connectPlatform,
  connectSharedPlatform,
  type ConnectPlatformDeps,
} from '#server/platform/connect-platform.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import { sharedTokens } from './shared/shared-tokens.ts';
import { createTokenPool, createTokenPoolOf, type TokenPool } from './token-pool.ts';
import type { TokenSourceEvents } from './token-source.ts';

export type OpenPoolDeps = ConnectPlatformDeps & {
  /** Null if this is the only node. */
  readonly store: SharedStore | null;
  /** The name of a token in the store. */
  readonly idOf: (token: BotToken) => string;
  /** Takes over from the records which tokens are still lent; rejects if they cannot be read. */
  readonly confirm: () => Promise<void>;
  readonly onSuspected: TokenSourceEvents['onSuspected'];
};

/** The door to the platform and the pool behind it: of this process alone, or of all nodes together. */
export const openPool = ({
  store,
  idOf,
  confirm,
  onSuspected,
  ...door
}: OpenPoolDeps): { platform: Platform; pool: TokenPool } => {
  const { clock } = door.system;
  if (store === null) {
    const platform = connectPlatform(door);
    return { platform, pool: createTokenPool({ clock, platform, onSuspected }) };
  }
  const platform = connectSharedPlatform(door, store);
  const open = sharedTokens({ clock, store, platform, idOf, confirm });
  return { platform, pool: createTokenPoolOf({ clock, platform, open, onSuspected }) };
};
