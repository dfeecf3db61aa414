import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { coolBudget, type Exchange, type TokenBudget } from './refill.ts';
import { distrustBudget, settleBudget } from './token-budget.ts';

/** Answers rounded to milliseconds and clocks that drift: never come back exactly on the dot. */
const COOL_MARGIN_MS = 50;
/** A token that is turned away counts against our address each time, so it rests as long as the platform counts. */
const FORBIDDEN_REST_MS = 600_000;

/** What an answer means for the token that got it; null if nothing was asked after all. */
export const settleAnswer = (
  budget: TokenBudget,
  answer: PlatformAnswer<unknown> | null,
  exchange: Exchange,
): void => {
  settleBudget(budget, exchange, answer !== null && 'reading' in answer ? answer.reading : null);
  const rest = (ms: number): void => coolBudget(budget, exchange.receivedMs + ms);
  if (answer?.kind === 'forbidden') rest(FORBIDDEN_REST_MS);
  if (answer?.kind !== 'rate-limited') return;
  rest(answer.retryAfterMs + COOL_MARGIN_MS);
  if (answer.scope === 'user') distrustBudget(budget);
};
