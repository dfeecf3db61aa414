import { LRUCache } from 'lru-cache';
import type { Clock } from '#server/system.ts';
import type { Profile } from '#shared/contract/profile.ts';
import type { Snowflake } from '#shared/snowflake.ts';

/** What is known of an id. Null: the platform knows nobody by it. */
export type CachedProfile = {
  readonly profile: Profile | null;
  readonly storedMs: number;
  readonly expiresMs: number;
};

export type ProfileCacheOptions = {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxEntries?: number;
};

const NOT_FOUND_TTL_MS = 60_000;

/** Keeps answers in memory for a few minutes, never on disk. */
export const createProfileCache = (options: ProfileCacheOptions) => {
  const { clock, ttlMs, maxEntries = 10_000 } = options;
  const entries = new LRUCache<Snowflake, CachedProfile>({ max: maxEntries });
  let sweepPlanned = false;

  const lifeMs = (profile: Profile | null): number =>
    profile === null ? Math.min(NOT_FOUND_TTL_MS, ttlMs) : ttlMs;

  /** What expired is not only withheld, it is gone: at most one lifetime later. */
  const planSweep = (): void => {
    if (sweepPlanned) return;
    sweepPlanned = true;
    clock.after(ttlMs, () => {
      sweepPlanned = false;
      const nowMs = clock.monotonicMs();
      for (const [id, { expiresMs }] of entries.entries()) if (expiresMs <= nowMs) entries.delete(id);
      if (entries.size > 0) planSweep();
    });
  };

  return {
    get: (id: Snowflake): CachedProfile | undefined => {
      const entry = entries.get(id);
      return entry !== undefined && clock.monotonicMs() < entry.expiresMs ? entry : undefined;
    },
    set: (id: Snowflake, profile: Profile | null, ageMs = 0): void => {
      const storedMs = clock.monotonicMs() - ageMs;
      entries.set(id, { profile, storedMs, expiresMs: storedMs + lifeMs(profile) });
      planSweep();
    },
    lifeMs,
    size: () => entries.size,
  };
};
