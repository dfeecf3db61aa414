import type { Random } from '#server/system.ts';
import { createBreaker } from './breaker.ts';
import type { Question } from './questions.ts';
import type { InvalidRequestGovernor } from './invalid-request-governor.ts';
import type { PlatformAnswer } from './platform-answer.ts';

export type EgressGateDeps = {
  readonly random: Random;
  readonly governor: InvalidRequestGovernor;
  readonly perSecond: number;
};

/** A ban without a Retry-After is asked about again after this long. */
const BAN_PAUSE_MS = 600_000;
const MIN_BAN_PAUSE_MS = 60_000;

/** How late a send may be without slowing down those after it. */
export const EGRESS_LATE_MS = 10;
/** How much closer together requests may be when they arrive than when they left. */
const EGRESS_JITTER_MS = 20;

/** In any second, and that much more on its way, the first and the last of one too many are too far apart. */
export const egressIntervalMs = (perSecond: number, jitterMs = EGRESS_JITTER_MS): number =>
  (1_000 + EGRESS_LATE_MS + jitterMs) / perSecond;

/**
 * At most `perSecond` sends in any second, one after the other (GCRA): what leaves evenly also arrives evenly. A send
 * that is late may be followed by the next that much sooner, so a busy process loses nothing; that, and what the way
 * to the platform may shift, is taken off the rate: 97 % of it are used in the long run.
 */
export const createEgressRate = (perSecond: number) => {
  const intervalMs = egressIntervalMs(perSecond);
  let tatMs = -Infinity;
  return {
    freeAtMs: () => tatMs - EGRESS_LATE_MS,
    sent: (nowMs: number): void => {
      tatMs = Math.max(tatMs, nowMs) + intervalMs;
    },
  };
};

/**
 * What holds for requests to the platform: pace and governor for all of them together, a breaker for each question.
 * Lookups are nearly all that is asked, so a block or an outage that they meet is taken for one of the address or of
 * the platform and stops everything. One that another question meets stops that question: bans of single routes exist.
 */
export const createEgressGate = ({ random, governor, perSecond }: EgressGateDeps) => {
  const rate = createEgressRate(perSecond);
  const newBreaker = () =>
    createBreaker({ failures: 5, withinMs: 10_000, firstPauseMs: 1_000, maxPauseMs: 30_000 });
  const breakers: Readonly<Record<Question, ReturnType<typeof newBreaker>>> = {
    getUser: newBreaker(),
    getOwnUser: newBreaker(),
    getOwnApplication: newBreaker(),
    getInvite: newBreaker(),
    getGateway: newBreaker(),
  };
  let inFlight = 0;

  const platformFreeAt = (question: Question, nowMs: number): number =>
    Math.max(breakers.getUser.freeAtMs(), breakers[question].freeAtMs(), governor.freeAtMs(nowMs, inFlight));

  /** Null if the request was never made. */
  const settled = (question: Question, answer: PlatformAnswer<unknown> | null, nowMs: number): void => {
    const breaker = breakers[question];
    inFlight -= 1;
    if (answer === null) return breaker.released();
    if (isInvalid(answer)) governor.record();
    if (answer.kind !== 'blocked')
      return breaker.settled(answer.kind === 'failed' ? 'failure' : 'success', nowMs);
    breaker.trip(nowMs, banPauseMs(answer.retryAfterMs, random));
  };

  return {
    /** When the question may be asked. Infinity means: once an answer that is under way is in. */
    freeAtMs: (question: Question, nowMs: number) =>
      Math.max(rate.freeAtMs(), platformFreeAt(question, nowMs)),
    /** True while it is the platform, or our standing with it, that keeps the gate shut, and not our own pace. */
    isPaused: (nowMs: number) => platformFreeAt('getUser', nowMs) > nowMs,
    sent: (question: Question, nowMs: number): void => {
      inFlight += 1;
      rate.sent(nowMs);
      breakers[question].sent();
    },
    settled,
    inFlight: () => inFlight,
  };
};

/** Jitter, so that several servers behind one address do not knock at once. */
export const banPauseMs = (retryAfterMs: number | null, random: Random): number => {
  const pauseMs = Math.max(retryAfterMs ?? BAN_PAUSE_MS, MIN_BAN_PAUSE_MS);
  return pauseMs + random.integer(Math.ceil(pauseMs / 10) + 1);
};

/** What the platform counts towards banning an address. */
export const isInvalid = (answer: PlatformAnswer<unknown>): boolean =>
  answer.kind === 'unauthorized' ||
  answer.kind === 'forbidden' ||
  answer.kind === 'blocked' ||
  (answer.kind === 'failed' && answer.reason === 'status' && answer.status === 401) ||
  (answer.kind === 'rate-limited' && answer.scope !== 'shared');
