import type { Logger } from '#server/observability/logger.ts';
import type { Platform, PlatformPause } from '#server/platform/platform.ts';
import type { SharedStore } from '#server/storage/redis/shared-store.ts';
import type { Clock } from '#server/system.ts';
import type { LookupPause } from '#shared/contract/status.ts';
import type { TokenPool } from './token-pool.ts';

export type LookupPauseDeps = {
  readonly clock: Clock;
  readonly platform: Pick<Platform, 'pause'>;
  readonly pool: Pick<TokenPool, 'counts'>;
  /** Null if there is only one node. */
  readonly store: Pick<SharedStore, 'problem'> | null;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
};

type Found = PlatformPause | { readonly cause: 'no-tokens' | 'store-unavailable'; readonly untilMs: number };

/** The only place that decides whether lookups are paused: while they are, none that is not cached is answered. */
export const createLookupPause = ({ clock, platform, pool, store, logger }: LookupPauseDeps) => {
  let seen: { readonly cause: LookupPause['cause']; readonly sinceMs: number } | null = null;

  const find = (nowMs: number): Found | null => {
    if (store !== null && store.problem() !== null) return { cause: 'store-unavailable', untilMs: Infinity };
    const { healthy, cooling } = pool.counts();
    const isEmpty = healthy + cooling === 0;
    return platform.pause(nowMs) ?? (isEmpty ? { cause: 'no-tokens', untilMs: Infinity } : null);
  };

  /** Null while lookups are answered. `until` is null if nobody can know. */
  return (): LookupPause | null => {
    const nowMs = clock.monotonicMs();
    const found = find(nowMs);
    if (seen !== null && seen.cause !== found?.cause) {
      const seconds = Math.round((nowMs - seen.sinceMs) / 1_000);
      logger.info({ event: 'lookups-resumed', cause: seen.cause, seconds }, 'this cause of a pause is over');
      seen = null;
    }
    if (found === null) return null;
    const isNew = seen === null;
    seen ??= { cause: found.cause, sinceMs: nowMs };
    const iso = (atMs: number): string => new Date(clock.wallMs() + atMs - nowMs).toISOString();
    const until = found.untilMs === Infinity ? null : iso(found.untilMs);
    const { cause } = found;
    if (isNew)
      logger.warn({ event: 'lookups-paused', cause, until }, 'lookups that are not cached are refused');
    return { cause, since: iso(seen.sinceMs), until };
  };
};
