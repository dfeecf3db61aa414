import { gzipSync } from 'node:zlib';
import { edgeAnswer, jsonAnswer, withHeaders, type Answer } from '../answer.ts';
import {
  bans,
  blockedUserAgent,
  gatewayFailures,
  htmlInsteadOfJson,
  rateLimited,
  type BanForm,
} from '../api/platform-errors.ts';

type Circumstances = {
  readonly nowMs: number;
  /** When the fault was set. */
  readonly sinceMs: number;
};

export type FaultRule<V> = {
  readonly apply: (answer: Answer, value: V, circumstances: Circumstances) => Answer;
  /** The values that chaos sets. It never bans, which would last an hour. */
  readonly chaos: readonly V[];
};

type Whole = { readonly status: number; readonly contentType: string; readonly body: string };
/** With a time, the ban says how long it lasts and ends then; otherwise it does neither. */
type Ban = BanForm | { readonly form: BanForm; readonly retryAfterMs: number };
type Wait = true | number;
type Redirect = { readonly status: 301 | 302 | 307 | 308; readonly to: string };

const OVERSIZE_BYTES = 5 * 1024 * 1024;
const BOMB_BYTES = 64 * 1024 * 1024;
const DEFAULT_RETRY_MS = 1_000;

const rule = <V = true>(apply: FaultRule<V>['apply'], ...chaos: readonly V[]): FaultRule<V> => ({
  apply,
  chaos,
});

const waitMs = (value: Wait): number => (value === true ? DEFAULT_RETRY_MS : value);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const limitsOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-')));

const exhausted = (answer: Answer, retryAfterMs: number, nowMs: number): Answer =>
  rateLimited('user', retryAfterMs, {
    'x-ratelimit-limit': '30',
    'x-ratelimit-bucket': '80c17d2f203122d936070c88c8d10f33',
    ...limitsOf(answer),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': seconds(nowMs + retryAfterMs),
    'x-ratelimit-reset-after': seconds(retryAfterMs),
  });

const banned = (answer: Answer, ban: Ban, { nowMs, sinceMs }: Circumstances): Answer => {
  if (typeof ban === 'string') return bans[ban];
  const leftMs = sinceMs + ban.retryAfterMs - nowMs;
  return leftMs > 0
    ? withHeaders(bans[ban.form], { 'retry-after': String(Math.ceil(leftMs / 1000)) })
    : answer;
};

const merged = (answer: Answer, keys: object): Answer =>
  answer.status === 200
    ? { ...answer, body: JSON.stringify({ ...JSON.parse(String(answer.body)), ...keys }) }
    : answer;

/** With white space, so that a client without a size limit would find the body valid. */
const padded = (body: string | Buffer, bytes: number): Buffer =>
  Buffer.concat([Buffer.alloc(bytes, ' '), Buffer.from(body)]);

const zipped = (answer: Answer): Answer =>
  withHeaders({ ...answer, body: gzipSync(padded(answer.body, BOMB_BYTES)) }, { 'content-encoding': 'gzip' });

const unchanged = (answer: Answer): Answer => answer;

const WRONG_TYPES: readonly object[] = [
  { id: 42 },
  { username: null },
  { avatar: '../../evil' },
  { public_flags: 'many' },
];

/** Every fault, in the order in which several at once take effect: body, headers, whole answer, delivery. */
export const FAULT_RULES = {
  latencyMs: rule<number>(unchanged, 700),
  /** Up to so much more latency, drawn per request; answers then overtake each other. */
  jitterMs: rule<number>(unchanged),
  /** The share of requests that meet a fault of the chaos menu. */
  chaos: rule<number>(unchanged),

  merge: rule<object>(merged, ...WRONG_TYPES),
  wrongId: rule((answer) => merged(answer, { id: '175928847299117063' }), true),
  rawBody: rule<string>((answer, body) => ({ ...answer, body })),
  oversize: rule((answer) => ({ ...answer, body: padded(answer.body, OVERSIZE_BYTES) }), true),
  gzipBomb: rule(zipped),

  /** Of each limit, a number is the wait in milliseconds. */
  sharedRateLimit: rule<Wait>((answer, wait) => rateLimited('shared', waitMs(wait), limitsOf(answer)), true),
  globalRateLimit: rule<Wait>((_, wait) => rateLimited('global', waitMs(wait)), true),
  userRateLimit: rule<Wait>((answer, wait, { nowMs }) => exhausted(answer, waitMs(wait), nowMs), true),
  status: rule<keyof typeof gatewayFailures>((_, status) => gatewayFailures[status], 500, 502, 503, 504),
  html200: rule(() => htmlInsteadOfJson, true),
  redirect: rule<Redirect>((_, { status, to }) => jsonAnswer(status, '', { location: to })),
  blocked40333: rule(() => blockedUserAgent),
  ban: rule<Ban>(banned),

  answer: rule<Whole>((_, { status, contentType, body }) => edgeAnswer(status, contentType, body)),

  drip: rule<number>((answer, dripMs) => ({ ...answer, delivery: { dripMs } }), 5),
  truncate: rule((answer) => ({ ...answer, delivery: 'truncate' }), true),
  reset: rule((answer) => ({ ...answer, delivery: 'reset' }), true),
  hang: rule((answer) => ({ ...answer, delivery: 'hang' }), true),
};

export type FaultName = keyof typeof FAULT_RULES;
export type FaultValue<N extends FaultName> = (typeof FAULT_RULES)[N] extends FaultRule<infer V> ? V : never;
