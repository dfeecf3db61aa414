import type { Status } from '#shared/contract/status.ts';
import type { RecentCount } from '#server/observability/recent-count.ts';
import type { TokenPool } from './token-pool.ts';

export type PoolStatusDeps = {
  readonly pool: TokenPool;
  readonly served: RecentCount;
  readonly refused: RecentCount;
  /** Tokens that the platform took from us before this process started, and when it last did. */
  readonly retiredBefore: { readonly count: number; readonly last: string | null };
  readonly tokenDonations: boolean;
};

export type PoolStatus = { readonly read: () => Status; readonly retired: (at: string) => void };

/** Below this many a single revocation is felt. */
const ENOUGH_TOKENS = 3;

export const createPoolStatus = (deps: PoolStatusDeps): PoolStatus => {
  const { pool, served, refused, retiredBefore, tokenDonations } = deps;
  let lastRetirement = retiredBefore.last;
  return {
    retired: (at) => {
      lastRetirement = at;
    },
    read: () => {
      const { healthy, cooling, suspect, retired } = pool.counts();
      return {
        // A suspect may be dead: it counts as not usable now, like one that cools.
        tokens: { healthy, cooling: cooling + suspect, retired: retired + retiredBefore.count },
        lookups_last_hour: { served: served.total(), refused: refused.total() },
        last_retirement: lastRetirement,
        donations_needed: tokenDonations && healthy < ENOUGH_TOKENS,
      };
    },
  };
};
