import type { IncomingHttpHeaders } from 'node:http';

/** What one answer says about the bucket it was counted in. */
export type RateLimitReading = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
};

/** Only relative times are read: the platform's clock is not ours. Null unless all three headers make sense. */
export const readRateLimit = (headers: IncomingHttpHeaders): RateLimitReading | null => {
  const limit = readNumber(headers['x-ratelimit-limit']);
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const resetAfter = readNumber(headers['x-ratelimit-reset-after']);
  if (limit === null || remaining === null || resetAfter === null) return null;
  if (limit < 1 || remaining > limit) return null;
  return { limit, remaining, resetAfterMs: resetAfter * 1_000 };
};

/** Seconds, as the platform writes them: whole in Retry-After, with decimals elsewhere. */
export const readNumber = (value: string | string[] | undefined): number | null => {
  if (typeof value !== 'string' || !/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return null;
  return Number(value);
};
