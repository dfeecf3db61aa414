import { hash } from 'node:crypto';
import { getOrInsert } from '../get-or-insert.ts';
import type { RouteName } from './destination.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

export type LimitMode = 'sliding' | 'fixed';

export type LimitSettings = {
  readonly limit: number;
  readonly periodMs: number;
  readonly mode: LimitMode;
  readonly globalPerSecond: number;
};

type Spend = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetAfterMs: number;
};

export type RateLimits = ReturnType<typeof createRateLimits>;

type Bucket = (nowMs: number) => Spend;
type BucketSettings = Pick<LimitSettings, 'limit' | 'periodMs'>;

/** A leaky bucket (GCRA), which only holds the time at which it is full again. */
export const createSlidingBucket = ({ limit, periodMs }: BucketSettings): Bucket => {
  const slotMs = periodMs / limit;
  // Sums of fractional slot times must not refuse the very last slot of a bucket.
  const roundingMs = slotMs * 1e-6;
  let fullAtMs = 0;
  return (nowMs) => {
    const nextFullAtMs = Math.max(fullAtMs, nowMs) + slotMs;
    const waitMs = nextFullAtMs - nowMs - periodMs;
    if (waitMs > roundingMs) return { allowed: false, remaining: 0, resetAfterMs: waitMs };
    fullAtMs = nextFullAtMs;
    const remaining = Math.floor((roundingMs - waitMs) / slotMs);
    return { allowed: true, remaining, resetAfterMs: fullAtMs - nowMs };
  };
};

export const createFixedBucket = ({ limit, periodMs }: BucketSettings): Bucket => {
  let windowEndMs = -Infinity;
  let used = 0;
  return (nowMs) => {
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + periodMs;
      used = 0;
    }
    const resetAfterMs = windowEndMs - nowMs;
    if (used >= limit) return { allowed: false, remaining: 0, resetAfterMs };
    used += 1;
    return { allowed: true, remaining: limit - used, resetAfterMs };
  };
};

const seconds = (ms: number): string => (Math.ceil(ms) / 1000).toFixed(3);

export const createRateLimits = (settings: LimitSettings) => {
  const createBucket = settings.mode === 'sliding' ? createSlidingBucket : createFixedBucket;
  const buckets = new Map<string, Bucket>();
  const lastSecondOf = new Map<string, SlidingWindow>();

  return {
    /** All ids share a bot's bucket for a route. The real sizes are not known. */
    spendSlot: (route: RouteName, botId: string, nowMs: number): Spend =>
      getOrInsert(buckets, `${route} ${botId}`, () => createBucket(settings))(nowMs),

    /** Returns the wait, or null if it is allowed. */
    spendGlobal: (caller: string, nowMs: number): number | null => {
      const window = getOrInsert(lastSecondOf, caller, () => createSlidingWindow(1_000));
      if (window.count(nowMs) >= settings.globalPerSecond)
        return (window.oldestMs() ?? nowMs) + 1_000 - nowMs;
      window.add(nowMs);
      return null;
    },

    headersOf: (route: RouteName, spend: Spend, nowMs: number): Readonly<Record<string, string>> => ({
      'x-ratelimit-limit': String(settings.limit),
      'x-ratelimit-remaining': String(spend.remaining),
      'x-ratelimit-reset': seconds(nowMs + spend.resetAfterMs),
      'x-ratelimit-reset-after': seconds(spend.resetAfterMs),
      'x-ratelimit-bucket': hash('md5', `GET /${route}`),
    }),
  };
};
