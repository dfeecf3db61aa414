import type { RecentCount } from '#server/observability/recent-count.ts';
import type { Status } from '#shared/contract/status.ts';
import { createLookupPause, type LookupPauseDeps } from './lookup-pause.ts';
import type { Retirements } from './retirements.ts';

export type PoolStatusDeps = LookupPauseDeps & {
  /** At all nodes. */
  readonly recent: Readonly<Record<'served' | 'refused', Pick<RecentCount, 'total'>>>;
  readonly retirements: Retirements;
  readonly tokenDonations: boolean;
};

/** What everybody may know of the pool. */
export type PoolStatus = ReturnType<typeof createPoolStatus>;

/** Below this many a single revocation is felt. */
const ENOUGH_TOKENS = 3;

export const createPoolStatus = (deps: PoolStatusDeps) => {
  const { pool, retirements, tokenDonations } = deps;
  const { served, refused } = deps.recent;
  const pause = createLookupPause(deps);
  let retired: Awaited<ReturnType<Retirements['count']>> = { platform: 0, operator: 0, last: null };
  return {
    read: (): Status => {
      const { healthy, cooling, suspect } = pool.counts();
      return {
        // A suspect may be dead: it counts as not usable now, like one that cools.
        tokens: { healthy, cooling: cooling + suspect, retired: retired.platform },
        lookups_last_hour: { served: served.total(), refused: refused.total() },
        last_retirement: retired.last,
        donations_needed: tokenDonations && healthy < ENOUGH_TOKENS,
        paused: pause.read(),
      };
    },
    readPause: pause.read,
    retired: () => retired.platform,
    /** Takes over what the database says. */
    refresh: async (): Promise<void> => {
      retired = await retirements.count();
    },
    start: pause.start,
    stop: pause.stop,
  };
};
