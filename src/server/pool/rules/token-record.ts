import { FLIGHT_MS } from '#server/deadlines.ts';
import { MAX_WAIT_MS } from '#server/platform/rate-limit-headers.ts';
import type { TokenBudget } from './refill.ts';
import { createTokenBudget, flightsOf } from './token-budget.ts';

/** All that is known about a token. Survives JSON, and is replaced, never changed, once it is in a store. */
export type TokenRecord = TokenBudget & {
  /** When it last became a suspect; null if it never was one. */
  suspectedMs: number | null;
};

/** The state of a token in the pool. */
export type TokenState =
  | { readonly state: 'healthy' }
  | { readonly state: 'cooling'; readonly untilMs: number }
  /** Null if it was not refused itself: many others were. */
  | { readonly state: 'suspect'; readonly sinceMs: number | null };

export const stateOf = (record: TokenRecord | null, isSuspect: boolean, nowMs: number): TokenState => {
  if (isSuspect) return { state: 'suspect', sinceMs: record?.suspectedMs ?? null };
  const untilMs = record?.coolUntilMs ?? -Infinity;
  return untilMs > nowMs ? { state: 'cooling', untilMs } : { state: 'healthy' };
};

/** No rule writes a time farther ahead than this: if there is one, a clock was wrong. */
const FARTHEST_MS = MAX_WAIT_MS + FLIGHT_MS;

/** False if nothing in it can be relied on. */
export const isPlausible = (
  { coolUntilMs, globalTatMs, tatMs, windowEndMs }: TokenRecord,
  nowMs: number,
): boolean => Math.max(coolUntilMs, globalTatMs, tatMs, windowEndMs) <= nowMs + FARTHEST_MS;

/** A copy to change, without flights that were lost. */
export const draftOf = (record: TokenRecord | null, nowMs: number): TokenRecord =>
  record === null || !isPlausible(record, nowMs)
    ? { ...createTokenBudget(), suspectedMs: null }
    : { ...record, inFlightMs: flightsOf(record, nowMs) };
