import type { PlatformAnswer } from '#server/platform/platform-answer.ts';
import { coolBudget, type Exchange } from './refill.ts';
import { distrustBudget, settleBudget, spendBudget } from './token-budget.ts';
import { draftOf, type TokenRecord } from './token-record.ts';

/** Answers are rounded to milliseconds, and clocks drift: never come back exactly on the dot. */
const COOL_MARGIN_MS = 50;
/** A token that is turned away counts against our address each time, so it rests as long as the platform counts. */
const FORBIDDEN_REST_MS = 600_000;
/** A token that is refused again although the platform has just vouched for it rests: each refusal counts against us. */
const CONTRADICTION_REST_MS = 60_000;

export type SuspectedBecause = 'unauthorized' | 'foreign';

/** The record with one more request in flight. */
export const recordSend = (record: TokenRecord | null, nowMs: number): TokenRecord => {
  const draft = draftOf(record, nowMs);
  spendBudget(draft, nowMs);
  return draft;
};

/** The record after an answer; null if nothing was asked after all. A suspect is out of use until it has been checked. */
export const recordAnswer = (
  record: TokenRecord | null,
  answer: PlatformAnswer<unknown> | null,
  exchange: Exchange,
): { readonly record: TokenRecord; readonly isSuspect: boolean } => {
  const { sentMs, receivedMs } = exchange;
  const draft = draftOf(record, receivedMs);
  settleBudget(draft, exchange, answer !== null && 'reading' in answer ? answer.reading : null);
  coolBudget(draft, receivedMs + restMs(answer));
  if (answer?.kind === 'rate-limited' && answer.scope === 'user') distrustBudget(draft);
  // What was sent before it became a suspect says nothing new.
  const suspectedMs = draft.suspectedMs ?? -Infinity;
  if (suspectedBecause(answer) === null || sentMs <= suspectedMs) return { record: draft, isSuspect: false };
  if (receivedMs - suspectedMs < CONTRADICTION_REST_MS) coolBudget(draft, receivedMs + CONTRADICTION_REST_MS);
  draft.suspectedMs = receivedMs;
  return { record: draft, isSuspect: true };
};

const restMs = (answer: PlatformAnswer<unknown> | null): number => {
  if (answer?.kind === 'forbidden') return FORBIDDEN_REST_MS;
  return answer?.kind === 'rate-limited' ? answer.retryAfterMs + COOL_MARGIN_MS : 0;
};

/** Why an answer makes its token a suspect; null if it does not. */
export const suspectedBecause = (answer: PlatformAnswer<unknown> | null): SuspectedBecause | null =>
  answer?.kind === 'unauthorized' || answer?.kind === 'foreign' ? answer.kind : null;
