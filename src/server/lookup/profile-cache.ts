import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/system.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** The answer for an id; its profile is null if the platform knows nobody by it. */
export type CachedProfile = { readonly profile: Profile | null; readonly storedMs: number };

export type ProfileCacheOptions = {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxEntries?: number;
};

const NOT_FOUND_TTL_MS = 60_000;

/** Keeps answers in memory for a few minutes, never on disk. */
export const createProfileCache = ({ clock, ttlMs, maxEntries = 10_000 }: ProfileCacheOptions) => {
  const entries = new LRUCache<Snowflake, CachedProfile>({
    max: maxEntries,
    // An entry that was stored at 0 would never expire.
    perf: { now: () => 1 + clock.monotonicMs() },
    // Otherwise it keeps the time for a millisecond, by a timer of its own.
    ttlResolution: 0,
  });
  let purgePlanned = false;

  /** Expired entries are not only withheld but deleted, at most one lifetime later. */
  const planPurge = (): void => {
    if (purgePlanned) return;
    purgePlanned = true;
    clock.after(ttlMs, () => {
      purgePlanned = false;
      entries.purgeStale();
      if (entries.size > 0) planPurge();
    });
  };

  return {
    get: (id: Snowflake): CachedProfile | undefined => entries.get(id),
    set: (id: Snowflake, profile: Profile | null): void => {
      const ttl = profile === null ? Math.min(NOT_FOUND_TTL_MS, ttlMs) : ttlMs;
      // To the cache, 0 means forever.
      if (ttl <= 0) return;
      entries.set(id, { profile, storedMs: clock.monotonicMs() }, { ttl });
      planPurge();
    },
    size: () => entries.size,
  };
};
