import type { BotToken } from '#server/platform/bot-token.ts';
import type { SharedPlatform } from '#server/platform/shared/shared-platform.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { TokenSourceEvents } from '../token-source.ts';
import { createKnownTokens } from './known-tokens.ts';
import { createPoolPicture } from './pool-picture.ts';
import { POOL_KEYS } from './pool-scripts.ts';
import type { Flight } from './token-ledger.ts';

export type SharedToken = { readonly token: BotToken; readonly flight: Flight };

export type SharedTokensDeps = {
  readonly clock: Clock;
  readonly store: Pick<SharedStore, 'key' | 'session' | 'storeNowMs' | 'everySecond'>;
  readonly platform: SharedPlatform;
  /** The name of a token in the store: the same on all nodes, and of no use to anybody else. */
  readonly idOf: (token: BotToken) => string;
  /** Takes over from the records which tokens are still lent; rejects if they cannot be read. */
  readonly confirm: () => Promise<void>;
};

/** What the parts of the shared pool have in common. */
export type PoolContext = ReturnType<typeof createPoolContext>;

export const createPoolContext = (deps: SharedTokensDeps, { onSuspected, onChange }: TokenSourceEvents) => {
  const { clock, store, platform, idOf, confirm } = deps;
  const poolKeys = POOL_KEYS.map(store.key);
  const keys = [store.key('{t}gate'), ...poolKeys];
  const picture = createPoolPicture(clock, keys);
  return {
    clock,
    store,
    platform,
    confirm,
    onSuspected,
    onChange,
    /** For scripts that come behind the gate's. */
    poolKeys,
    keys,
    known: createKnownTokens(idOf),
    picture,
    look: async (): Promise<void> => {
      await picture.look(store.session());
      onChange();
    },
    /** A store that is gone now is greeted when it is back. */
    inBackground: (task: () => Promise<unknown>): void => void task().catch(() => {}),
  };
};
