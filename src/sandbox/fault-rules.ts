import { gzipSync } from 'node:zlib';
import { jsonAnswer, type Answer } from './answer.ts';
import {
  banned,
  blockedUserAgent,
  gatewayFailure,
  htmlInsteadOfJson,
  rateLimited,
  type BanForm,
} from './platform-errors.ts';
import type { Draws } from './seeded-draws.ts';

export type FaultValues = {
  latencyMs: number;
  /** Up to so much more latency, drawn per request; answers then overtake each other. */
  jitterMs: number;
  chaos: number;
  /** Keys laid over the JSON object of a 200. */
  merge: Readonly<Record<string, unknown>>;
  wrongId: true;
  wrongTypes: true;
  rawBody: string;
  oversize: true;
  gzipBomb: true;
  headerless: true;
  wrongBucket: true;
  clockSkewMs: number;
  /** A number is the wait in milliseconds. */
  sharedRateLimit: true | number;
  globalRateLimit: true | number;
  userRateLimit: true | number;
  hugeRetryAfter: true;
  status: 500 | 502 | 503 | 504;
  html200: true;
  redirect: { readonly status: 301 | 302 | 307 | 308; readonly to: string };
  blocked40333: true;
  ban: BanForm;
  /** Milliseconds between two bytes of the body. */
  drip: number;
  truncate: true;
  reset: true;
  hang: true;
};

export type FaultName = keyof FaultValues;

type Circumstances = { readonly nowMs: number; readonly draws: Draws };

type FaultRule = {
  readonly accepts: (value: unknown) => boolean;
  readonly apply: (answer: Answer, value: unknown, circumstances: Circumstances) => Answer;
};

const OVERSIZE_BYTES = 5 * 1024 * 1024;
const BOMB_BYTES = 64 * 1024 * 1024;
const HUGE_RETRY_MS = 82_721_000;
const DEFAULT_RETRY_MS = 1_000;
const OTHER_BUCKET = '80c17d2f203122d936070c88c8d10f33';

const isTrue = (value: unknown): boolean => value === true;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isWait = (value: unknown): boolean => isTrue(value) || isNumber(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const waitMs = (value: unknown): number => (isNumber(value) ? value : DEFAULT_RETRY_MS);

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const isLimitHeader = (name: string): boolean => name.startsWith('x-ratelimit-');

const withoutLimitHeaders = (answer: Answer): Answer => ({
  ...answer,
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !isLimitHeader(name))),
});

const limitHeadersOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isLimitHeader(name)));

/** A 429 of the bot's own bucket, as if its slots were all spent. */
const exhausted = (answer: Answer, retryAfterMs: number, nowMs: number): Answer =>
  rateLimited('user', retryAfterMs, {
    'x-ratelimit-limit': '30',
    'x-ratelimit-bucket': OTHER_BUCKET,
    ...limitHeadersOf(answer),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': ((nowMs + retryAfterMs) / 1000).toFixed(3),
    'x-ratelimit-reset-after': (retryAfterMs / 1000).toFixed(3),
  });

const mergeBody = (answer: Answer, keys: object): Answer =>
  answer.status === 200
    ? { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), ...keys }) }
    : answer;

/** Padding is white space, so a client without a size cap would decode the body and find it valid. */
const padded = (body: string | Buffer, bytes: number): Buffer =>
  Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from(body)]);

const WRONG_TYPES: readonly object[] = [
  { id: 42 },
  { id: null },
  { username: null },
  { username: ['a'] },
  { username: { toString: 'x' } },
  { global_name: 7 },
  { avatar: {} },
  { avatar: '../../evil' },
  { avatar: 'javascript:alert(1)' },
  { banner: ['x'] },
  { discriminator: 0 },
  { public_flags: 'many' },
  { public_flags: -1.5 },
  { flags: '64' },
  { accent_color: 'red;background:url(//evil)' },
  { accent_color: 1e12 },
  { primary_guild: 'PINE' },
  { primary_guild: { tag: 5, badge: [], identity_guild_id: 'x', identity_enabled: 'yes' } },
  { clan: [] },
  { bot: 'true' },
];

const delivered =
  (delivery: NonNullable<Answer['delivery']>) =>
  (answer: Answer): Answer => ({ ...answer, delivery });

/** Every fault, in the order in which several at once take effect: body, headers, whole answer, delivery. */
export const FAULT_RULES: Readonly<Record<FaultName, FaultRule>> = {
  latencyMs: { accepts: isNumber, apply: (answer) => answer },
  jitterMs: { accepts: isNumber, apply: (answer) => answer },
  chaos: { accepts: isNumber, apply: (answer) => answer },

  merge: { accepts: isObject, apply: (answer, keys) => mergeBody(answer, keys as object) },
  wrongId: { accepts: isTrue, apply: (answer) => mergeBody(answer, { id: '175928847299117063' }) },
  wrongTypes: {
    accepts: isTrue,
    apply: (answer, _, { draws }) => mergeBody(answer, draws.pick(WRONG_TYPES)),
  },
  rawBody: {
    accepts: (value) => typeof value === 'string',
    apply: (answer, body) => ({ ...answer, body: String(body) }),
  },
  oversize: {
    accepts: isTrue,
    apply: (answer) => ({ ...answer, body: padded(answer.body, OVERSIZE_BYTES) }),
  },
  gzipBomb: {
    accepts: isTrue,
    apply: (answer) =>
      withHeaders(
        { ...answer, body: gzipSync(padded(answer.body, BOMB_BYTES)) },
        { 'content-encoding': 'gzip' },
      ),
  },

  headerless: { accepts: isTrue, apply: withoutLimitHeaders },
  wrongBucket: {
    accepts: isTrue,
    apply: (answer, _, { nowMs }) =>
      'x-ratelimit-bucket' in answer.headers && answer.status !== 429
        ? withHeaders(answer, {
            'x-ratelimit-limit': '2000',
            'x-ratelimit-remaining': '1999',
            'x-ratelimit-reset': (nowMs / 1000 + 1).toFixed(3),
            'x-ratelimit-reset-after': '1.000',
            'x-ratelimit-bucket': OTHER_BUCKET,
          })
        : answer,
  },
  clockSkewMs: {
    accepts: isNumber,
    apply: (answer, skewMs, { nowMs }) => {
      const reset = answer.headers['x-ratelimit-reset'];
      const date = { date: new Date(nowMs + Number(skewMs)).toUTCString() };
      return withHeaders(
        answer,
        reset === undefined
          ? date
          : { ...date, 'x-ratelimit-reset': (Number(reset) + Number(skewMs) / 1000).toFixed(3) },
      );
    },
  },

  sharedRateLimit: {
    accepts: isWait,
    apply: (answer, value) => rateLimited('shared', waitMs(value), limitHeadersOf(answer)),
  },
  globalRateLimit: { accepts: isWait, apply: (_, value) => rateLimited('global', waitMs(value)) },
  userRateLimit: {
    accepts: isWait,
    apply: (answer, value, { nowMs }) => exhausted(answer, waitMs(value), nowMs),
  },
  hugeRetryAfter: {
    accepts: isTrue,
    apply: (answer, _, { nowMs }) => exhausted(answer, HUGE_RETRY_MS, nowMs),
  },
  status: { accepts: oneOf(500, 502, 503, 504), apply: (_, status) => gatewayFailure(Number(status)) },
  html200: { accepts: isTrue, apply: () => htmlInsteadOfJson },
  redirect: {
    accepts: (value) => isObject(value) && 'to' in (value as object) && 'status' in (value as object),
    apply: (_, value) => {
      const { status, to } = value as FaultValues['redirect'];
      return jsonAnswer(status, '', { location: to });
    },
  },
  blocked40333: { accepts: isTrue, apply: () => blockedUserAgent },
  ban: { accepts: oneOf('json', 'html', 'text'), apply: (_, form) => banned(form as BanForm) },

  drip: {
    accepts: isNumber,
    apply: (answer, intervalMs) => ({
      ...answer,
      delivery: { kind: 'drip', intervalMs: Number(intervalMs) },
    }),
  },
  truncate: { accepts: isTrue, apply: delivered({ kind: 'truncate' }) },
  reset: { accepts: isTrue, apply: delivered({ kind: 'reset' }) },
  hang: { accepts: isTrue, apply: delivered({ kind: 'hang' }) },
};

export const FAULT_NAMES = Object.keys(FAULT_RULES) as FaultName[];

/** What chaos serves. A ban is not on the menu: it would end the show for an hour. */
export const CHAOS_MENU: readonly { readonly name: FaultName; readonly value: unknown }[] = [
  { name: 'latencyMs', value: 700 },
  { name: 'wrongId', value: true },
  { name: 'wrongTypes', value: true },
  { name: 'oversize', value: true },
  { name: 'headerless', value: true },
  { name: 'wrongBucket', value: true },
  { name: 'clockSkewMs', value: 3_600_000 },
  { name: 'sharedRateLimit', value: true },
  { name: 'globalRateLimit', value: true },
  { name: 'userRateLimit', value: true },
  { name: 'status', value: 500 },
  { name: 'status', value: 502 },
  { name: 'status', value: 503 },
  { name: 'status', value: 504 },
  { name: 'html200', value: true },
  { name: 'drip', value: 5 },
  { name: 'truncate', value: true },
  { name: 'reset', value: true },
  { name: 'hang', value: true },
];
