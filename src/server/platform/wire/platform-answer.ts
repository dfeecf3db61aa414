import type { IncomingHttpHeaders } from 'node:http';
import type { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { MAX_WAIT_MS } from '#server/deadlines.ts';
import { fieldOf, isRecord, parseJson } from '#shared/json.ts';
import type { Snowflake } from '#shared/snowflake.ts';
import type { BotToken } from '../bot-token.ts';
import type { DiscordApplication, DiscordInvite, DiscordUser, PlatformClock } from './discord-objects.ts';

export type PlatformApi = {
  readonly getUser: (
    id: Snowflake,
    token: BotToken,
    /** On our own steady clock. */
    deadlineMs: number,
  ) => Promise<PlatformAnswer<DiscordUser>>;
  readonly getOwnUser: (token: BotToken) => Promise<PlatformAnswer<DiscordUser>>;
  readonly getOwnApplication: (token: BotToken) => Promise<PlatformAnswer<DiscordApplication>>;
  /** The code must not need escaping. */
  readonly getInvite: (code: string) => Promise<PlatformAnswer<DiscordInvite>>;
  readonly getGateway: () => Promise<PlatformAnswer<PlatformClock>>;
};

export type Endpoint = keyof PlatformApi;

export type RateLimitReading = NonNullable<ReturnType<typeof readRateLimit>>;

/** Everything the platform can answer. Carries no header, no token and no raw body. */
export type PlatformAnswer<T> =
  | { readonly kind: 'found'; readonly value: T; readonly reading: RateLimitReading | null }
  | { readonly kind: 'not-found' | 'refused'; readonly reading: RateLimitReading | null }
  | {
      readonly kind: 'rate-limited';
      readonly scope: 'user' | 'global' | 'shared';
      readonly retryAfterMs: number;
      readonly reading: RateLimitReading | null;
    }
  | { readonly kind: 'unauthorized' | 'forbidden' }
  | { readonly kind: 'blocked'; readonly retryAfterMs: number | null }
  /** The answer is about somebody else, so the token is not what it claims to be. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly reason: 'status'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: 'malformed' | 'network' | 'timeout' };

export type PlatformOutcome = ReturnType<typeof outcomeOf>;

export type PlatformResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string | null;
};

export type AnswerReader<T> = {
  readonly parse: (body: unknown, headers: IncomingHttpHeaders) => T | null;
  /** With this code a 404 says that what was asked for does not exist. With any other it may be the route. */
  readonly unknownCode?: number;
};

const NETWORK_BLOCK_CODE = 40_333 satisfies RESTJSONErrorCodes.CloudflareIsBlockingYourRequest;

export const outcomeOf = (answer: PlatformAnswer<unknown>) =>
  answer.kind === 'failed' ? (`failed-${answer.reason}` as const) : answer.kind;

/** A proxy on the way may answer in the platform's place, so only the platform's own JSON is believed. */
export const readPlatformAnswer = <T>(
  response: PlatformResponse,
  { parse, unknownCode }: AnswerReader<T>,
): PlatformAnswer<T> => {
  const reading = readRateLimit(response.headers);
  const body = bodyOf(response);
  const code = fieldOf(body, 'code');
  const failed = { kind: 'failed', reason: 'status', status: response.status } as const;
  switch (response.status) {
    case 200: {
      const value = parse(body, response.headers);
      return value === null ? { kind: 'failed', reason: 'malformed' } : { kind: 'found', value, reading };
    }
    case 404:
      return unknownCode !== undefined && code === unknownCode ? { kind: 'not-found', reading } : failed;
    case 400:
      return { kind: 'refused', reading };
    case 401:
      return typeof code === 'number' ? { kind: 'unauthorized' } : failed;
    case 403:
      return readForbidden(response, body);
    case 429:
      return readTooMany(response, body, reading);
    default:
      return failed;
  }
};

const readForbidden = (response: PlatformResponse, body: unknown): PlatformAnswer<never> =>
  isRecord(body) && body['code'] !== NETWORK_BLOCK_CODE
    ? { kind: 'forbidden' }
    : { kind: 'blocked', retryAfterMs: retryAfterMs(response, body) };

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
  const fromHeader = readSeconds(response.headers['retry-after']);
  const fromBody = toWaitMs(fieldOf(body, 'retry_after'));
  return fromHeader === null || fromBody === null ? (fromHeader ?? fromBody) : Math.max(fromHeader, fromBody);
};

const bodyOf = ({ headers, text }: PlatformResponse): unknown =>
  text !== null && headers['content-type']?.startsWith('application/json') ? parseJson(text) : undefined;

const BUCKET = /^[\w:-]{1,64}$/;

/** Only relative times are read: the platform's clock is not ours. Null unless all three headers make sense. */
export const readRateLimit = (headers: IncomingHttpHeaders) => {
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

export const readSeconds = (value: string | string[] | undefined): number | null =>
  toWaitMs(readNumber(value));

const toWaitMs = (seconds: unknown): number | null =>
  typeof seconds === 'number' && seconds >= 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : null;

const readNumber = (value: string | string[] | undefined): number | null =>
  typeof value === 'string' && /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;
