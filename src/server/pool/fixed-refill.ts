import type { BudgetReading, Exchange, TokenBudget } from './token-budget.ts';

/** The platform rounds its times to milliseconds. */
const ROUNDING_MS = 1;
/** How long a window lasts if no answer tells its end. Longer than the truth is safe, shorter would not be. */
const UNTOLD_WINDOW_MS = 60_000;

export const fixedFreeAt = (budget: TokenBudget, nowMs: number): number =>
  budget.used < budget.limit || nowMs >= budget.windowEndMs ? nowMs : budget.windowEndMs;

export const spendFixed = (budget: TokenBudget, nowMs: number): void => {
  if (nowMs >= budget.windowEndMs) {
    // Requests still under way may reach the platform only now, so they count in the new window.
    budget.used = budget.inFlight;
    budget.windowStartMs = nowMs;
    budget.windowEndMs = nowMs + UNTOLD_WINDOW_MS;
  }
  budget.used += 1;
};

export const learnFixed = (budget: TokenBudget, exchange: Exchange, reading: BudgetReading): void => {
  // Sent in a window that is over: it tells nothing of this one.
  if (exchange.sentMs < budget.windowStartMs) return;
  const usedThere = reading.limit - reading.remaining;
  const endMs = exchange.receivedMs + reading.resetAfterMs + ROUNDING_MS;
  if (endMs > budget.windowEndMs + budget.periodMs / 2) {
    // The platform's window turned between our last sends.
    budget.windowStartMs = exchange.sentMs;
    budget.windowEndMs = endMs;
    budget.used = usedThere + budget.inFlight;
    return;
  }
  // Each answer is older than its arrival, so the earliest end is the closest to the truth and still not too early.
  budget.windowEndMs = Math.min(budget.windowEndMs, endMs);
  budget.used = Math.max(budget.used, usedThere);
  budget.periodMs = Math.max(budget.periodMs, reading.resetAfterMs);
};
