import { FLIGHT_MS } from '#server/deadlines.ts';
import type { TokenBudget } from './refill.ts';
import { createTokenBudget } from './token-budget.ts';

/** All that is known of a token. It survives JSON, and is replaced, never changed, once a store has it. */
export type TokenRecord = TokenBudget & {
  /** When it last became a suspect; null if it never was one. */
  suspectedMs: number | null;
};

/**
 * A copy to change. Of a request whose answer never came, because its node died, nothing is expected any more.
 */
export const draftOf = (record: TokenRecord | null, nowMs: number): TokenRecord => ({
  ...(record ?? { ...createTokenBudget(), suspectedMs: null }),
  inFlightMs: record?.inFlightMs.filter((sentMs) => sentMs > nowMs - FLIGHT_MS) ?? [],
});
