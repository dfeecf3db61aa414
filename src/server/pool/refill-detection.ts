import type { BudgetReading, Exchange, TokenBudget } from './token-budget.ts';

/** Two readings are compared only if the shift that tells them apart is this many times the network's own jitter. */
const CLEAR_OF_JITTER = 4;

/**
 * In a sliding bucket each request moves the time of full refill by one slot; in a fixed window it stays put. Only
 * two readings of the same window compare (the count went up), and only if a slot lasts longer than a round trip.
 */
export const detectRefill = (budget: TokenBudget, exchange: Exchange, reading: BudgetReading): void => {
  const used = reading.limit - reading.remaining;
  const endMs = exchange.receivedMs + reading.resetAfterMs;
  const slotMs = budget.lastUsed > 0 ? budget.lastResetMs / budget.lastUsed : 0;
  const roundTripMs = exchange.receivedMs - exchange.sentMs;
  if (used > budget.lastUsed && slotMs > CLEAR_OF_JITTER * roundTripMs && slotMs > 0) {
    const shiftMs = (endMs - budget.lastEndMs) / (used - budget.lastUsed);
    if (shiftMs > slotMs / 2) becomeSliding(budget, endMs, Math.max(slotMs, reading.resetAfterMs / used));
    else becomeFixed(budget, used, endMs);
  }
  budget.lastUsed = used;
  budget.lastResetMs = reading.resetAfterMs;
  budget.lastEndMs = endMs;
};

const becomeSliding = (budget: TokenBudget, endMs: number, intervalMs: number): void => {
  budget.refill = 'sliding';
  budget.tatMs = endMs;
  budget.intervalMs = intervalMs;
};

const becomeFixed = (budget: TokenBudget, used: number, endMs: number): void => {
  budget.refill = 'fixed';
  budget.used = used;
  budget.windowStartMs = -Infinity;
  budget.windowEndMs = endMs;
  budget.periodMs = budget.lastResetMs;
};
