import type { BudgetReading, Exchange, TokenBudget } from './token-budget.ts';

/** A request may overtake its predecessor on the way. Keeping a slot back costs burst, not rate. */
const RESERVED_SLOTS = 1;

export const slidingFreeAt = (budget: TokenBudget): number =>
  budget.tatMs - (budget.limit - RESERVED_SLOTS - 1) * budget.intervalMs;

export const spendSliding = (budget: TokenBudget, nowMs: number): void => {
  budget.tatMs = Math.max(budget.tatMs, nowMs) + budget.intervalMs;
};

export const learnSliding = (budget: TokenBudget, exchange: Exchange, reading: BudgetReading): void => {
  const used = reading.limit - reading.remaining;
  // The answer is older than its arrival, so this time of full refill is never too early.
  budget.tatMs = Math.max(budget.tatMs, exchange.receivedMs + reading.resetAfterMs);
  // Counts are rounded up to whole slots, so this is never more than the true interval.
  if (used > 0) budget.intervalMs = Math.max(budget.intervalMs, reading.resetAfterMs / used);
};
