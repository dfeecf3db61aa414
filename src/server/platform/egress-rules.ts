import type { Random } from '#server/system.ts';
import type { PlatformAnswer } from './platform-answer.ts';
import { MAX_WAIT_MS } from './rate-limit-headers.ts';

/** How late a send may be without slowing down those after it. */
export const EGRESS_LATE_MS = 10;
/** How much closer together requests may be when they arrive than when they were permitted. */
const EGRESS_JITTER_MS = 20;
/** With a shared store, a busy node and the way from the store lie between the permit and the send. */
export const SHARED_EGRESS_JITTER_MS = 80;

/**
 * The time between two sends (GCRA). What leaves evenly also arrives evenly. A send that is late may be followed by the
 * next that much sooner, so a busy process loses nothing; that, and the jitter on the way, is taken off the rate, so
 * that no second at the platform sees more than `perSecond`.
 */
export const egressIntervalMs = (perSecond: number, jitterMs = EGRESS_JITTER_MS): number =>
  (1_000 + EGRESS_LATE_MS + jitterMs) / perSecond;

/** A ban without a Retry-After is probed again after this long. */
const BAN_PAUSE_MS = 600_000;
const MIN_BAN_PAUSE_MS = 60_000;
/** With all of the jitter. */
export const LONGEST_BAN_MS = Math.ceil(1.1 * MAX_WAIT_MS) + 1;

/** With jitter, so that several servers behind one address do not probe at once. */
const banPauseMs = (retryAfterMs: number | null, random: Random): number => {
  const pauseMs = Math.max(retryAfterMs ?? BAN_PAUSE_MS, MIN_BAN_PAUSE_MS);
  return pauseMs + random.integer(Math.ceil(pauseMs / 10) + 1);
};

/** What a settled request means for all that follow. */
export type Settlement = {
  /** The platform counts it towards banning our address. */
  readonly isInvalid: boolean;
  /** How long the platform bans us; null if it does not. */
  readonly banMs: number | null;
  /** The platform answered: a ban that this request probed is over. */
  readonly isAnswered: boolean;
};

/** Null if the request was never made. */
export const settlementOf = (answer: PlatformAnswer<unknown> | null, random: Random): Settlement => ({
  isInvalid: answer !== null && isInvalid(answer),
  banMs: answer?.kind === 'blocked' ? banPauseMs(answer.retryAfterMs, random) : null,
  isAnswered: answer !== null && answer.kind !== 'failed',
});

const isInvalid = (answer: PlatformAnswer<unknown>): boolean =>
  answer.kind === 'unauthorized' ||
  answer.kind === 'forbidden' ||
  answer.kind === 'blocked' ||
  (answer.kind === 'failed' && answer.reason === 'status' && answer.status === 401) ||
  (answer.kind === 'rate-limited' && answer.scope !== 'shared');
