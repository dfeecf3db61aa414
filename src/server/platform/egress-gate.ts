import type { Random } from '#server/system.ts';
import { createBreaker } from './breaker.ts';
import { createEgressRate } from './egress-rate.ts';
import type { InvalidRequestGovernor } from './invalid-request-governor.ts';
import type { LeaseOutcome } from '#server/pool/lease-outcome.ts';

/** The one door to the platform: what holds for all tokens together is decided here. */
export type EgressGate = {
  /** When a request may leave. Infinity means: once an answer that is under way is in. */
  readonly freeAtMs: (nowMs: number) => number;
  /** True while it is the platform, or our standing with it, that keeps the door shut, and not our own pace. */
  readonly isPaused: (nowMs: number) => boolean;
  readonly sent: (nowMs: number) => void;
  readonly settled: (outcome: LeaseOutcome, nowMs: number) => void;
  readonly inFlight: () => number;
};

export type EgressGateDeps = {
  readonly random: Random;
  readonly governor: InvalidRequestGovernor;
  readonly perSecond: number;
};

/** A ban without a Retry-After is asked about again after this long. */
const BAN_PAUSE_MS = 600_000;
const MIN_BAN_PAUSE_MS = 60_000;

export const createEgressGate = ({ random, governor, perSecond }: EgressGateDeps): EgressGate => {
  const rate = createEgressRate(perSecond);
  const platform = createBreaker({ failures: 5, withinMs: 10_000, firstPauseMs: 1_000, maxPauseMs: 30_000 });
  let inFlight = 0;

  const platformFreeAt = (nowMs: number): number =>
    Math.max(platform.freeAtMs(), governor.freeAtMs(nowMs, inFlight));

  const settled = (outcome: LeaseOutcome, nowMs: number): void => {
    inFlight -= 1;
    if (isInvalid(outcome)) governor.record();
    if (outcome.kind !== 'blocked')
      return platform.settled(outcome.kind === 'failed' ? 'failure' : 'success', nowMs);
    const pauseMs = Math.max(outcome.retryAfterMs ?? BAN_PAUSE_MS, MIN_BAN_PAUSE_MS);
    // Jitter, so that several servers behind one address do not knock at once.
    platform.trip(nowMs, pauseMs + random.integer(Math.ceil(pauseMs / 10) + 1));
  };

  return {
    freeAtMs: (nowMs) => Math.max(rate.freeAtMs(), platformFreeAt(nowMs)),
    isPaused: (nowMs) => platformFreeAt(nowMs) > nowMs,
    sent: (nowMs) => {
      inFlight += 1;
      rate.sent(nowMs);
      platform.sent();
    },
    settled,
    inFlight: () => inFlight,
  };
};

/** What the platform counts towards banning an address. */
const isInvalid = (outcome: LeaseOutcome): boolean =>
  outcome.kind === 'unauthorized' ||
  outcome.kind === 'forbidden' ||
  outcome.kind === 'blocked' ||
  (outcome.kind === 'rate-limited' && outcome.scope !== 'shared');
