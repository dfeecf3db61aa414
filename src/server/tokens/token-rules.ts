import { FLIGHT_MS, MAX_WAIT_MS } from '#server/deadlines.ts';
import { HOUR_MS, MINUTE_MS } from '#server/system.ts';
import { isLike } from '#server/storage/stored-record.ts';
import {
  ASSUMED_INTERVAL_MS,
  coolBudget,
  coolWhileEmpty,
  createTokenBudget,
  REFILL,
  type Exchange,
  type RateLimitReading,
  type Send,
  type TokenBudget,
} from './refill.ts';

/** Survives JSON; replaced, never changed, once it is in a store. */
export type TokenRecord = TokenBudget & {
  suspectedMs: number | null;
  /** In a row, invalid answers that the budget did not predict, and the last: its bot is used elsewhere, or was reset. */
  invalid?: number;
  invalidMs?: number;
  /** Since when it is on hold: the platform has not vouched for it. */
  heldMs?: number | null;
};

export const isTokenRecord = (record: unknown): boolean =>
  isLike(record, { ...createTokenBudget(), bucket: '', suspectedMs: null }) &&
  Object.hasOwn(REFILL, (record as TokenRecord).refill);

/** What an answer may say about the token that it was asked with. */
export type TokenAnswer =
  | { readonly kind: 'unauthorized' | 'foreign' | 'forbidden' | 'blocked' | 'failed' }
  | { readonly kind: 'found' | 'not-found' | 'refused'; readonly reading: RateLimitReading | null }
  | {
      readonly kind: 'rate-limited';
      readonly scope: 'user' | 'global' | 'shared';
      readonly retryAfterMs: number;
      readonly reading: RateLimitReading | null;
    };

export type TokenState = {
  readonly state: 'healthy' | 'cooling' | 'suspect';
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly invalid: number;
};

export type Flight = Exchange & { readonly flightMs: number };

/** Why the platform is to be asked about a token. */
export type SuspectedBecause = 'unauthorized' | 'foreign';

/** No rule writes a time farther ahead than this: if there is one, a clock was wrong. */
const FARTHEST_MS = MAX_WAIT_MS + FLIGHT_MS;
/** Answers are rounded to milliseconds, and clocks drift: never come back exactly on the dot. */
const COOL_MARGIN_MS = 50;
/** A token that is turned away counts against our address each time, so it rests as long as the platform counts. */
const FORBIDDEN_REST_MS = 600_000;
/** What is held against a token: it rests twice as long each time, because each such answer counts against our address. */
const FIRST_REST_MS = MINUTE_MS;
const LONGEST_REST_MS = HOUR_MS;
const FORGIVEN_MS = 2 * LONGEST_REST_MS;

export const stateOf = (record: TokenRecord | null, isSuspect: boolean, nowMs: number): TokenState => {
  const { heldMs, suspectedMs = null, coolUntilMs = 0, invalid = 0 } = record ?? {};
  if (isSuspect) return { state: 'suspect', sinceMs: heldMs ?? suspectedMs, untilMs: null, invalid };
  return coolUntilMs > nowMs
    ? { state: 'cooling', sinceMs: null, untilMs: coolUntilMs, invalid }
    : { state: 'healthy', sinceMs: null, untilMs: null, invalid };
};

const isPlausible = ({ coolUntilMs, globalTatMs, tatMs, windowEndMs }: TokenRecord, nowMs: number): boolean =>
  Math.max(coolUntilMs, globalTatMs, tatMs, windowEndMs) <= nowMs + FARTHEST_MS;

export const draftOf = (record: TokenRecord | null, nowMs: number): TokenRecord =>
  record === null || !isPlausible(record, nowMs)
    ? { ...createTokenBudget(), suspectedMs: null }
    : { ...record, inFlightMs: flightsOf(record, nowMs) };

export const tokenFreeAt = (record: TokenRecord | null, nowMs: number): number =>
  record === null || !isPlausible(record, nowMs) ? nowMs : budgetFreeAt(record, nowMs);

export const recordSend = (record: TokenRecord | null, send: Send): TokenRecord => {
  const draft = draftOf(record, send.nowMs);
  spendBudget(draft, send);
  return draft;
};

/** Null if the flight has been recorded, or given up: each counts once. */
export const recordAnswer = (
  record: TokenRecord | null,
  answer: TokenAnswer | null,
  { flightMs, sentMs, receivedMs }: Flight,
): { readonly record: TokenRecord; readonly because: SuspectedBecause | null } | null => {
  const draft = draftOf(record, receivedMs);
  const index = draft.inFlightMs.indexOf(flightMs);
  if (index < 0) return null;
  draft.inFlightMs.splice(index, 1);
  const reading = answer !== null && 'reading' in answer ? answer.reading : null;
  settleBudget(draft, { sentMs, receivedMs }, reading);
  coolBudget(draft, receivedMs + restMs(answer));
  if (answer?.kind === 'rate-limited' && answer.scope === 'user') distrustBudget(draft);
  return { record: draft, because: holdAgainst(draft, answer, { sentMs, receivedMs }) };
};

/** Returns why the platform is to be asked about the token, if it is. */
const holdAgainst = (
  draft: TokenRecord,
  answer: TokenAnswer | null,
  { sentMs, receivedMs }: Exchange,
): SuspectedBecause | null => {
  const because = suspectedBecause(answer);
  const isUsedUp = answer?.kind === 'rate-limited' && answer.scope !== 'shared';
  const { invalid = 0, invalidMs = -Infinity } = draft;
  // What was sent before the last says nothing new.
  if ((because === null && !isUsedUp) || sentMs <= invalidMs) return null;
  const times = receivedMs - invalidMs < FORGIVEN_MS ? invalid : 0;
  // One that is refused is asked about, and rests only if the platform has vouched for it before.
  const rests = isUsedUp ? times : times - 1;
  if (rests >= 0) coolBudget(draft, receivedMs + Math.min(FIRST_REST_MS * 2 ** rests, LONGEST_REST_MS));
  if (because !== null) draft.suspectedMs = receivedMs;
  draft.invalid = times + 1;
  draft.invalidMs = receivedMs;
  return because;
};

const suspectedBecause = (answer: TokenAnswer | null): SuspectedBecause | null =>
  answer?.kind === 'unauthorized' || answer?.kind === 'foreign' ? answer.kind : null;

const restMs = (answer: TokenAnswer | null): number => {
  if (answer?.kind === 'forbidden') return FORBIDDEN_REST_MS;
  return answer?.kind === 'rate-limited' ? answer.retryAfterMs + COOL_MARGIN_MS : 0;
};

/** A higher claim is believed only after many in a row: the platform mixes buckets up. */
const TRUST_HIGHER_AFTER = 100;
/** The platform allows 50 a second per bot over all routes: 45 a second, 5 of them at once, never exceed that. */
const GLOBAL_INTERVAL_MS = 1_000 / 45;
const GLOBAL_BURST = 5;
const MAX_IN_FLIGHT = { unknown: 1, sliding: 4, fixed: 4 };

/** The requests in flight. One that is older than `FLIGHT_MS` was lost with its server. */
const flightsOf = ({ inFlightMs }: TokenBudget, nowMs: number): number[] =>
  inFlightMs.filter((flightMs) => Math.abs(nowMs - flightMs) < FLIGHT_MS);

export const budgetFreeAt = (budget: TokenBudget, nowMs: number): number => {
  if (flightsOf(budget, nowMs).length >= MAX_IN_FLIGHT[budget.refill]) return Infinity;
  const globalFreeAt = budget.globalTatMs - (GLOBAL_BURST - 1) * GLOBAL_INTERVAL_MS;
  return Math.max(budget.coolUntilMs, globalFreeAt, REFILL[budget.refill].freeAt(budget, nowMs));
};

export const spendBudget = (budget: TokenBudget, send: Send): void => {
  budget.globalTatMs = Math.max(budget.globalTatMs, send.byMs) + GLOBAL_INTERVAL_MS;
  REFILL[budget.refill].spend(budget, send);
  budget.inFlightMs.push(send.nowMs);
};

export const settleBudget = (
  budget: TokenBudget,
  exchange: Exchange,
  reading: RateLimitReading | null,
): void => {
  if (reading !== null && isTrusted(budget, reading)) return learn(budget, exchange, reading);
  if (budget.refill === 'unknown') coolBudget(budget, exchange.sentMs + ASSUMED_INTERVAL_MS);
  // Another bucket than the one we go by: it binds us only once it is empty.
  if (reading !== null) coolWhileEmpty(budget, exchange, reading);
};

const learn = (budget: TokenBudget, exchange: Exchange, reading: RateLimitReading): void => {
  const bucket = reading.bucket ?? budget.bucket;
  const isAnother = budget.bucket !== null && bucket !== budget.bucket;
  if (reading.limit !== budget.limit || isAnother) distrustBudget(budget);
  budget.bucket = bucket;
  budget.limit = reading.limit;
  REFILL[budget.refill].learn(budget, exchange, reading);
};

const isTrusted = (budget: TokenBudget, reading: RateLimitReading): boolean => {
  budget.higherClaims = reading.limit > budget.limit ? budget.higherClaims + 1 : 0;
  return budget.higherClaims === 0 || budget.higherClaims > TRUST_HIGHER_AFTER;
};

export const distrustBudget = (budget: TokenBudget): void => {
  budget.refill = 'unknown';
  budget.lastUsed = 0;
};
