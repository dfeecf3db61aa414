import type { Session } from '#server/storage/redis/session.ts';
import type { Clock } from '#server/system.ts';
import type { TokenCounts } from '../token-source.ts';
import { PICTURE } from './pool-scripts.ts';

/** How the pool looked when somebody last looked: good enough for figures, and for when to try again. */
export const createPoolPicture = (clock: Clock, keys: readonly string[]) => {
  let counts: TokenCounts = { healthy: 0, cooling: 0, suspect: 0 };
  let trialAtMs = -Infinity;
  return {
    counts: () => counts,
    size: () => counts.healthy + counts.cooling + counts.suspect,
    /** When the next suspect may be asked about; Infinity if there is none. */
    suspectAtMs: () => (counts.suspect === 0 ? Infinity : trialAtMs),
    /** Not before, whatever the picture says. */
    postponeTrial: (atMs: number): void => {
      trialAtMs = Math.max(trialAtMs, atMs);
    },
    look: async (session: Session): Promise<void> => {
      const reply = (await session.call(PICTURE, keys, [])) as readonly (string | number)[];
      const [nowMs = 0, usable = 0, cooling = 0, suspect = 0, trialMs = 0] = reply.map(Number);
      counts = { healthy: Math.max(0, usable - cooling), cooling, suspect };
      trialAtMs = clock.monotonicMs() + trialMs - nowMs;
    },
  };
};
