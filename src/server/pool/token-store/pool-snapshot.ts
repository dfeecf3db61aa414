import type { Session } from '#server/storage/redis/session.ts';
import type { Clock } from '#server/system.ts';
import { type TokenKeys } from './token-script-parts.ts';
import { READ_COUNTS } from './token-scripts.ts';
import type { TokenCounts } from './token-store.ts';

/** The pool as it was a second ago at most: good enough for figures, and for when to try again. */
export const createPoolSnapshot = (clock: Clock, keys: TokenKeys) => {
  let counts: TokenCounts = { healthy: 0, cooling: 0, suspect: 0 };
  let checkAtMs = -Infinity;
  return {
    counts: () => counts,
    tokens: () => counts.healthy + counts.cooling + counts.suspect,
    /** When the next suspect may be checked; Infinity if there is none. */
    suspectAtMs: () => (counts.suspect === 0 ? Infinity : checkAtMs),
    postponeCheck: (waitMs: number): void => {
      checkAtMs = clock.monotonicMs() + waitMs;
    },
    /** False if tokens are gone that nobody has removed. */
    refresh: async (session: Session): Promise<boolean> => {
      const read = await session.run(READ_COUNTS, { keys, args: {} });
      counts = read.counts;
      checkAtMs = clock.monotonicMs() + read.checkInMs;
      return !read.isLost;
    },
  };
};

export type PoolSnapshot = ReturnType<typeof createPoolSnapshot>;
