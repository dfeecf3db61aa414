import type { RecentCount } from '#server/observability/recent-count.ts';
import type { Status } from '#shared/contract/status.ts';
import type { RetirementCounts, Retirements } from './retirements.ts';
import type { TokenPool } from './token-pool.ts';

export type PoolStatusDeps = {
  readonly pool: TokenPool;
  readonly served: RecentCount;
  readonly refused: RecentCount;
  readonly retirements: Retirements;
  readonly tokenDonations: boolean;
};

/** What everybody may know of the pool. */
export type PoolStatus = {
  readonly read: () => Status;
  readonly retired: () => number;
  /** Takes over what the database says. */
  readonly refresh: () => Promise<void>;
};

/** Below this many a single revocation is felt. */
const ENOUGH_TOKENS = 3;

export const createPoolStatus = (deps: PoolStatusDeps): PoolStatus => {
  const { pool, served, refused, retirements, tokenDonations } = deps;
  let retired: RetirementCounts = { platform: 0, operator: 0, last: null };
  return {
    read: () => {
      const { healthy, cooling, suspect } = pool.counts();
      return {
        // A suspect may be dead: it counts as not usable now, like one that cools.
        tokens: { healthy, cooling: cooling + suspect, retired: retired.platform },
        lookups_last_hour: { served: served.total(), refused: refused.total() },
        last_retirement: retired.last,
        donations_needed: tokenDonations && healthy < ENOUGH_TOKENS,
      };
    },
    retired: () => retired.platform,
    refresh: async () => {
      retired = await retirements.count();
    },
  };
};
