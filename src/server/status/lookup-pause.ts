import { QUEUE_MS } from '#server/deadlines.ts';
import type { Logger } from '#server/observability/logger.ts';
import type { Platform } from '#server/platform/platform.ts';
import type { TokenPool } from '#server/pool/token-pool.ts';
import type { Clock } from '#server/system.ts';
import type { LookupPause } from '#shared/contract/status.ts';

export type LookupPauseDeps = {
  readonly clock: Clock;
  readonly platform: Pick<Platform, 'pause'>;
  readonly pool: Pick<TokenPool, 'counts' | 'nextChance'>;
  /** Why what servers share cannot be used; null if it can, and if there is only one server. */
  readonly problem: () => string | null;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

type Found = { readonly cause: LookupPause['cause']; readonly waitMs: number };

/** The only place that decides whether lookups are paused: while they are, none that is not cached is answered. */
export const createLookupPause = ({ clock, platform, pool, problem, logger }: LookupPauseDeps) => {
  let seen: { readonly cause: LookupPause['cause']; readonly sinceMs: number } | null = null;

  const find = (): Found | null => {
    if (problem() !== null) return { cause: 'store-unavailable', waitMs: Infinity };
    const pause = platform.pause();
    if (pause !== null) return pause;
    const { healthy, cooling } = pool.counts();
    if (healthy + cooling === 0) return { cause: 'no-tokens', waitMs: Infinity };
    const { waitMs, mayBeSooner } = pool.nextChance();
    // Longer than a lookup waits for a token.
    return waitMs > QUEUE_MS && !mayBeSooner ? { cause: 'tokens-cooling', waitMs } : null;
  };

  /** Null while lookups are answered. `until` is null if nobody can know. */
  return (): LookupPause | null => {
    const nowMs = clock.monotonicMs();
    const found = find();
    if (seen !== null && seen.cause !== found?.cause) {
      const seconds = Math.round((nowMs - seen.sinceMs) / 1_000);
      logger.info({ event: 'lookups-resumed', cause: seen.cause, seconds }, 'this cause of a pause is over');
      seen = null;
    }
    if (found === null) return null;
    const isNew = seen === null;
    seen ??= { cause: found.cause, sinceMs: nowMs };
    const iso = (inMs: number): string => new Date(clock.wallMs() + inMs).toISOString();
    const until = found.waitMs === Infinity ? null : iso(found.waitMs);
    const { cause } = found;
    if (isNew)
      logger.warn({ event: 'lookups-paused', cause, until }, 'lookups that are not cached are refused');
    return { cause, since: iso(seen.sinceMs - nowMs), until };
  };
};
