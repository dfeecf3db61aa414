import { FLIGHT_MS } from '#server/deadlines.ts';
import type { RateLimitReading } from '#server/platform/wire/rate-limit-headers.ts';
import { coolBudget, coolWhileEmpty, REFILL, type Exchange, type Send, type TokenBudget } from './refill.ts';

/** Seen on GET /users/{id}. A higher claim is believed only after many in a row: the platform mixes buckets up. */
const ASSUMED_LIMIT = 30;
const ASSUMED_INTERVAL_MS = 1_000;
const TRUST_HIGHER_AFTER = 100;
/** The platform allows 50 a second per bot over all routes: 45 a second, 5 of them at once, never exceed that. */
const GLOBAL_INTERVAL_MS = 1_000 / 45;
const GLOBAL_BURST = 5;
const MAX_IN_FLIGHT = { unknown: 1, sliding: 4, fixed: 4 };

export const createTokenBudget = (): TokenBudget => ({
  refill: 'unknown',
  bucket: null,
  limit: ASSUMED_LIMIT,
  inFlightMs: [],
  coolUntilMs: 0,
  globalTatMs: 0,
  higherClaims: 0,
  lastUsed: 0,
  lastResetMs: 0,
  lastEndMs: 0,
  tatMs: 0,
  intervalMs: ASSUMED_INTERVAL_MS,
  used: 0,
  windowStartMs: 0,
  windowEndMs: 0,
  periodMs: ASSUMED_LIMIT * ASSUMED_INTERVAL_MS,
});

/** The requests in flight. One that is older than `FLIGHT_MS` was lost with its server. */
export const flightsOf = ({ inFlightMs }: TokenBudget, nowMs: number): number[] =>
  inFlightMs.filter((flightMs) => Math.abs(nowMs - flightMs) < FLIGHT_MS);

/** The earliest time the token may send; Infinity means not before one of its answers is in. */
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

/** One of the token's requests ended; `reading` is null where the answer told nothing. */
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

/** The platform refused what the budget allowed: learn the bucket from the start. */
export const distrustBudget = (budget: TokenBudget): void => {
  budget.refill = 'unknown';
  budget.lastUsed = 0;
};
