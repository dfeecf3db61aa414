import type { IncomingHttpHeaders } from 'node:http';

/** What one answer says about the bucket it was counted in. */
export type RateLimitReading = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
  /** The platform's name for the bucket; null if it does not say. */
  readonly bucket: string | null;
};

/** The longest wait that has been reported. Anything longer is a mistake: we try again after this time. */
export const MAX_WAIT_MS = 86_400_000;
const BUCKET = /^[\w:-]{1,64}$/;

/** Only relative times are read: the platform's clock is not ours. Null unless all three headers make sense. */
export const readRateLimit = (headers: IncomingHttpHeaders): RateLimitReading | null => {
  const limit = readNumber(headers['x-ratelimit-limit']);
  const remaining = readNumber(headers['x-ratelimit-remaining']);
  const resetAfterMs = readSeconds(headers['x-ratelimit-reset-after']);
  if (limit === null || remaining === null || resetAfterMs === null) return null;
  if (limit < 1 || remaining > limit) return null;
  const bucket = headers['x-ratelimit-bucket'];
  return {
    limit,
    remaining,
    resetAfterMs,
    bucket: typeof bucket === 'string' && BUCKET.test(bucket) ? bucket : null,
  };
};

/** Seconds, as the platform writes them: whole in Retry-After, with decimals elsewhere. */
export const readSeconds = (value: string | string[] | undefined): number | null =>
  toWaitMs(readNumber(value));

/** A wait in seconds that somebody outside names, in milliseconds and within reason; null if it is not one. */
export const toWaitMs = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : null;

const readNumber = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;
