import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/system.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** What is known of an id. Null: the platform knows nobody by it. */
export type CachedProfile = { readonly profile: Profile | null; readonly storedMs: number };

/** Keeps answers in memory for a few minutes, never on disk. */
export type ProfileCache = {
  readonly get: (id: Snowflake) => CachedProfile | undefined;
  readonly set: (id: Snowflake, profile: Profile | null) => void;
  readonly size: () => number;
};

export type ProfileCacheOptions = {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxEntries?: number;
};

const NOT_FOUND_TTL_MS = 60_000;

export const createProfileCache = ({
  clock,
  ttlMs,
  maxEntries = 10_000,
}: ProfileCacheOptions): ProfileCache => {
  const entries = new LRUCache<Snowflake, CachedProfile>({
    max: maxEntries,
    ttlResolution: 0,
    perf: { now: clock.monotonicMs },
  });
  return {
    get: (id) => entries.get(id),
    set: (id, profile) => {
      const ttl = profile === null ? Math.min(NOT_FOUND_TTL_MS, ttlMs) : ttlMs;
      if (ttl > 0) entries.set(id, { profile, storedMs: clock.monotonicMs() }, { ttl });
    },
    size: () => entries.size,
  };
};
