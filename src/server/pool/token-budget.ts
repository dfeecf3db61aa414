import { fixedFreeAt, learnFixed, spendFixed } from './fixed-refill.ts';
import { detectRefill } from './refill-detection.ts';
import { learnSliding, slidingFreeAt, spendSliding } from './sliding-refill.ts';

/** What the platform said about a token's bucket in one answer. */
export type BudgetReading = {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAfterMs: number;
};

/** When a request left and when its answer came, on the monotonic clock. */
export type Exchange = { readonly sentMs: number; readonly receivedMs: number };

/**
 * One token's share of the platform's rate limit. A plain record, not a closure: there may be 100,000 of them.
 *
 * A token starts unknown and sends one request at a time, until two answers tell whether the platform refills its
 * bucket bit by bit (sliding) or all at once (fixed). A request counts when it is sent. An answer may only make our
 * view of the bucket worse, never better: other requests of ours may be under way.
 */
export type TokenBudget = {
  refill: 'unknown' | 'sliding' | 'fixed';
  limit: number;
  inFlight: number;
  coolUntilMs: number;
  /** Theoretical arrival time (GCRA) of the platform's limit per bot over all routes. */
  globalTatMs: number;
  /** Answers in a row that claimed a higher limit than the one we go by. */
  higherClaims: number;
  /** While unknown: the reading before this one. */
  lastUsed: number;
  lastResetMs: number;
  lastEndMs: number;
  /** Sliding: theoretical arrival time, and how long one slot takes to come back. */
  tatMs: number;
  intervalMs: number;
  /** Fixed: sends in the window we opened, when we opened it, and when the platform closes it. */
  used: number;
  windowStartMs: number;
  windowEndMs: number;
  periodMs: number;
};

/** Seen on GET /users/{id}. A higher claim is believed only after many in a row: the platform mixes buckets up. */
const ASSUMED_LIMIT = 30;
const ASSUMED_INTERVAL_MS = 1_000;
const TRUST_HIGHER_AFTER = 100;
/** The platform allows 50 a second per bot over all routes: 45 a second, 5 of them at once, never exceed that. */
const GLOBAL_INTERVAL_MS = 1_000 / 45;
const GLOBAL_BURST = 5;
const MAX_IN_FLIGHT = 4;

export const createTokenBudget = (): TokenBudget => ({
  refill: 'unknown',
  limit: ASSUMED_LIMIT,
  inFlight: 0,
  coolUntilMs: -Infinity,
  globalTatMs: -Infinity,
  higherClaims: 0,
  lastUsed: 0,
  lastResetMs: 0,
  lastEndMs: 0,
  tatMs: -Infinity,
  intervalMs: ASSUMED_INTERVAL_MS,
  used: 0,
  windowStartMs: -Infinity,
  windowEndMs: -Infinity,
  periodMs: ASSUMED_LIMIT * ASSUMED_INTERVAL_MS,
});

/** The earliest time the token may send; Infinity means not before one of its answers is in. */
export const budgetFreeAt = (budget: TokenBudget, nowMs: number): number => {
  const mayFly = budget.refill === 'unknown' ? 1 : MAX_IN_FLIGHT;
  if (budget.inFlight >= mayFly) return Infinity;
  const allowedAt = Math.max(
    budget.coolUntilMs,
    budget.globalTatMs - (GLOBAL_BURST - 1) * GLOBAL_INTERVAL_MS,
  );
  if (budget.refill === 'sliding') return Math.max(allowedAt, slidingFreeAt(budget));
  if (budget.refill === 'fixed') return Math.max(allowedAt, fixedFreeAt(budget, nowMs));
  return allowedAt;
};

export const spendBudget = (budget: TokenBudget, nowMs: number): void => {
  budget.globalTatMs = Math.max(budget.globalTatMs, nowMs) + GLOBAL_INTERVAL_MS;
  if (budget.refill === 'sliding') spendSliding(budget, nowMs);
  if (budget.refill === 'fixed') spendFixed(budget, nowMs);
  budget.inFlight += 1;
};

/** One of the token's requests ended; `reading` is null where the answer told nothing. */
export const settleBudget = (
  budget: TokenBudget,
  exchange: Exchange,
  reading: BudgetReading | null,
): void => {
  budget.inFlight -= 1;
  if (reading === null) {
    if (budget.refill === 'unknown') coolBudget(budget, exchange.sentMs + ASSUMED_INTERVAL_MS);
  } else if (isTrusted(budget, reading)) {
    learn(budget, exchange, reading);
  } else {
    // Another bucket than the one we go by: it binds us only once it is empty.
    coolBudget(budget, exchange.sentMs + (budget.refill === 'unknown' ? ASSUMED_INTERVAL_MS : 0));
    coolWhileEmpty(budget, exchange, reading);
  }
};

const learn = (budget: TokenBudget, exchange: Exchange, reading: BudgetReading): void => {
  if (reading.limit !== budget.limit) {
    budget.limit = reading.limit;
    distrustBudget(budget);
  }
  if (budget.refill === 'sliding') return learnSliding(budget, exchange, reading);
  if (budget.refill === 'fixed') return learnFixed(budget, exchange, reading);
  detectRefill(budget, exchange, reading);
  if (budget.refill === 'unknown') coolWhileEmpty(budget, exchange, reading);
};

const coolWhileEmpty = (budget: TokenBudget, exchange: Exchange, reading: BudgetReading): void => {
  if (reading.remaining <= 0) coolBudget(budget, exchange.receivedMs + reading.resetAfterMs);
};

const isTrusted = (budget: TokenBudget, reading: BudgetReading): boolean => {
  budget.higherClaims = reading.limit > budget.limit ? budget.higherClaims + 1 : 0;
  return budget.higherClaims === 0 || budget.higherClaims > TRUST_HIGHER_AFTER;
};

export const coolBudget = (budget: TokenBudget, untilMs: number): void => {
  budget.coolUntilMs = Math.max(budget.coolUntilMs, untilMs);
};

/** The platform refused what the budget allowed: learn the bucket anew. */
export const distrustBudget = (budget: TokenBudget): void => {
  budget.refill = 'unknown';
  budget.lastUsed = 0;
};
