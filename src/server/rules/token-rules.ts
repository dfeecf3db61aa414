import { FLIGHT_MS } from '#server/deadlines.ts';
import type { PlatformAnswer } from '#server/platform/wire/platform-answer.ts';
import { MAX_WAIT_MS } from '#server/platform/wire/rate-limit-headers.ts';
import { coolBudget, type Exchange, type Send, type TokenBudget } from './refill.ts';
import type { Hold } from './suspicion.ts';
import {
  budgetFreeAt,
  createTokenBudget,
  distrustBudget,
  flightsOf,
  settleBudget,
  spendBudget,
} from './token-budget.ts';

/** All that is known about a token. Survives JSON, and is replaced, never changed, once it is in a store. */
export type TokenRecord = TokenBudget & {
  /** When it last became a suspect; null if it never was one. */
  suspectedMs: number | null;
  /** Absent unless the platform, asked about its bot, has not vouched for it since. */
  hold?: Hold | null;
};

/** The state of a token in the pool. */
export type TokenState =
  | { readonly state: 'healthy' }
  | { readonly state: 'cooling'; readonly untilMs: number }
  /** Null if it was not refused itself: many others were. */
  | { readonly state: 'suspect'; readonly sinceMs: number | null };

/** A request and its answer; `flightMs` names it in the record. */
export type Flight = Exchange & { readonly flightMs: number };

export type SuspectedBecause = 'unauthorized' | 'foreign';

/** No rule writes a time farther ahead than this: if there is one, a clock was wrong. */
const FARTHEST_MS = MAX_WAIT_MS + FLIGHT_MS;
/** Answers are rounded to milliseconds, and clocks drift: never come back exactly on the dot. */
const COOL_MARGIN_MS = 50;
/** A token that is turned away counts against our address each time, so it rests as long as the platform counts. */
const FORBIDDEN_REST_MS = 600_000;
/** A token that is refused again although the platform has just vouched for it rests: each refusal counts against us. */
const CONTRADICTION_REST_MS = 60_000;

export const stateOf = (record: TokenRecord | null, isSuspect: boolean, nowMs: number): TokenState => {
  if (isSuspect) return { state: 'suspect', sinceMs: record?.hold?.sinceMs ?? record?.suspectedMs ?? null };
  const untilMs = record?.coolUntilMs ?? -Infinity;
  return untilMs > nowMs ? { state: 'cooling', untilMs } : { state: 'healthy' };
};

/** False if nothing in it can be relied on. */
const isPlausible = ({ coolUntilMs, globalTatMs, tatMs, windowEndMs }: TokenRecord, nowMs: number): boolean =>
  Math.max(coolUntilMs, globalTatMs, tatMs, windowEndMs) <= nowMs + FARTHEST_MS;

/** A copy to change, without flights that were lost. */
export const draftOf = (record: TokenRecord | null, nowMs: number): TokenRecord =>
  record === null || !isPlausible(record, nowMs)
    ? { ...createTokenBudget(), suspectedMs: null }
    : { ...record, inFlightMs: flightsOf(record, nowMs) };

/** When the token may send; Infinity means not before one of its answers is in. */
export const tokenFreeAt = (record: TokenRecord | null, nowMs: number): number =>
  record === null || !isPlausible(record, nowMs) ? nowMs : budgetFreeAt(record, nowMs);

/** The record with one more request in flight. */
export const recordSend = (record: TokenRecord | null, send: Send): TokenRecord => {
  const draft = draftOf(record, send.nowMs);
  spendBudget(draft, send);
  return draft;
};

/**
 * The record after an answer; null as the answer if nothing was asked after all. A suspect is out of use until it has
 * been checked. Null if the flight has been recorded, or given up: each counts once.
 */
export const recordAnswer = (
  record: TokenRecord | null,
  answer: PlatformAnswer<unknown> | null,
  { flightMs, sentMs, receivedMs }: Flight,
): { readonly record: TokenRecord; readonly isSuspect: boolean } | null => {
  const draft = draftOf(record, receivedMs);
  const index = draft.inFlightMs.indexOf(flightMs);
  if (index < 0) return null;
  draft.inFlightMs.splice(index, 1);
  const reading = answer !== null && 'reading' in answer ? answer.reading : null;
  settleBudget(draft, { sentMs, receivedMs }, reading);
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
