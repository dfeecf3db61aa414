import { isRecord } from './discord-objects.ts';
import { readNumber, readRateLimit, type RateLimitReading } from './rate-limit-headers.ts';
import type { IncomingHttpHeaders } from 'node:http';

/** Everything the platform can say to a question of ours. Carries no header, no token and no raw body. */
export type PlatformAnswer<T> =
  | { readonly kind: 'found'; readonly value: T; readonly reading: RateLimitReading | null }
  | { readonly kind: 'not-found'; readonly reading: RateLimitReading | null }
  /** The platform does not take the question; asking again gives the same. */
  | { readonly kind: 'refused'; readonly reading: RateLimitReading | null }
  | {
      readonly kind: 'rate-limited';
      readonly scope: 'user' | 'global' | 'shared';
      readonly retryAfterMs: number;
      readonly reading: RateLimitReading | null;
    }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'blocked'; readonly retryAfterMs: number | null }
  /** It is about somebody else: the token is not what it says. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly reason: 'status'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: 'malformed' | 'network' | 'timeout' };

/** How an answer is counted. */
export type PlatformOutcome = ReturnType<typeof outcomeOf>;

export type PlatformResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null if it was too large, encoded, or cut short. */
  readonly text: string | null;
};

/** The platform's edge answers with this code when it blocks an address. */
const NETWORK_BLOCK_CODE = 40_333;

export const outcomeOf = (answer: PlatformAnswer<unknown>) =>
  answer.kind === 'failed' ? (`failed-${answer.reason}` as const) : answer.kind;

/** `parse` gives null for what it cannot make sense of. */
export const readPlatformAnswer = <T>(
  response: PlatformResponse,
  parse: (body: unknown) => T | null,
): PlatformAnswer<T> => {
  const reading = readRateLimit(response.headers);
  const body = parseJson(response);
  switch (response.status) {
    case 200: {
      const value = parse(body);
      return value === null ? { kind: 'failed', reason: 'malformed' } : { kind: 'found', value, reading };
    }
    case 404:
      // Only the platform itself may say that somebody does not exist, not a proxy's error page.
      return isRecord(body) ? { kind: 'not-found', reading } : { kind: 'failed', reason: 'malformed' };
    case 400:
      return { kind: 'refused', reading };
    case 401:
      return { kind: 'unauthorized' };
    case 403:
      return isRecord(body) && body['code'] !== NETWORK_BLOCK_CODE
        ? { kind: 'forbidden' }
        : { kind: 'blocked', retryAfterMs: retryAfterMs(response, body) };
    case 429:
      return readTooMany(response, body, reading);
    default:
      return { kind: 'failed', reason: 'status', status: response.status };
  }
};

/** A limit of the API names its wait in the body. Anything else with this status is the edge banning our address. */
const readTooMany = (
  response: PlatformResponse,
  body: unknown,
  reading: RateLimitReading | null,
): PlatformAnswer<never> => {
  const waitMs = retryAfterMs(response, body);
  if (!isRecord(body) || typeof body['retry_after'] !== 'number' || waitMs === null) {
    return { kind: 'blocked', retryAfterMs: waitMs };
  }
  const named = response.headers['x-ratelimit-scope'];
  const scope =
    body['global'] === true || named === 'global' ? 'global' : named === 'shared' ? 'shared' : 'user';
  return { kind: 'rate-limited', scope, retryAfterMs: waitMs, reading };
};

/** The longer of header and body: the header is rounded, the body may be missing. */
const retryAfterMs = (response: PlatformResponse, body: unknown): number | null => {
  const fromHeader = readNumber(response.headers['retry-after']);
  const inBody = isRecord(body) ? body['retry_after'] : undefined;
  const fromBody = typeof inBody === 'number' && Number.isFinite(inBody) && inBody >= 0 ? inBody : null;
  if (fromHeader === null && fromBody === null) return null;
  return Math.max(fromHeader ?? 0, fromBody ?? 0) * 1_000;
};

const parseJson = ({ headers, text }: PlatformResponse): unknown => {
  if (text === null || !headers['content-type']?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
