import type { TokenBudget } from './refill.ts';
import { createTokenBudget, flightsOf } from './token-budget.ts';

/** All that is known of a token. It survives JSON, and is replaced, never changed, once a store has it. */
export type TokenRecord = TokenBudget & {
  /** When it last became a suspect; null if it never was one. */
  suspectedMs: number | null;
};

/** A copy to change, without flights that were lost. */
export const draftOf = (record: TokenRecord | null, nowMs: number): TokenRecord =>
  record === null
    ? { ...createTokenBudget(), suspectedMs: null }
    : { ...record, inFlightMs: flightsOf(record, nowMs) };
