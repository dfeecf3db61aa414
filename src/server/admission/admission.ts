import { AppError } from '#server/app-error.ts';
import { HIGHEST_DIFFICULTY_FACTOR, issueChallenge, verifyProof } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { Ticket } from '#server/tokens/fair-order.ts';
import { CHALLENGE_MS, type AdmissionStore, type Counter } from '#server/state/admission-store.ts';
import type { System } from '#server/system.ts';
import type { VisitorAction, VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Challenge } from '#shared/contract/challenge.ts';

type AdmissionDeps = {
  readonly system: System;
  readonly admissions: AdmissionStore;
  readonly visitors: VisitorLimits;
  readonly maxNumber: number;
  readonly scarcity: () => number;
  readonly events: Pick<Events, 'challengeIssued' | 'proofRedeemed'>;
};

export type Admission = ReturnType<typeof createAdmission>;

const FULL_RETRY_MS = 5_000;
/** A clock was set; within a second there is a key for the new time. */
const NO_KEY_RETRY_MS = 1_000;

/** `pressure` is the share (0..1) of its burst that a prefix has in use, or how scarce tokens are. */
const difficultyFactor = (pressure: number): number => {
  if (pressure < 0.5) return 1;
  return pressure < 0.8 ? 2 : HIGHEST_DIFFICULTY_FACTOR;
};

export const createAdmission = (deps: AdmissionDeps) => {
  const { system, admissions: store, visitors, maxNumber, scarcity, events } = deps;
  const { clock, random } = system;
  const highestNumber = maxNumber * HIGHEST_DIFFICULTY_FACTOR;

  const count = async (action: VisitorAction, address: string) => {
    const decision = await store.count(visitors.visitOf(action, address).counters);
    if (!decision.allowed) throw overLimit(decision.retryAfterMs);
    return decision;
  };
  const refuseKnown = (counters: readonly Counter[]): void => {
    const waitMs = store.knownWaitMs(counters);
    if (waitMs > 0) throw overLimit(waitMs);
  };
  const refuseProof = (outcome: 'invalid' | 'expired' | 'used' | 'unavailable'): never => {
    events.proofRedeemed(outcome);
    throw outcome === 'unavailable'
      ? new AppError('captcha-unavailable', { retryAfterMs: FULL_RETRY_MS })
      : new AppError(`proof-${outcome}`);
  };

  return {
    count: async (action: VisitorAction, address: string): Promise<void> => {
      await count(action, address);
    },
    issueChallenge: async (address: string): Promise<Challenge> => {
      const { pressure } = await count('challenge', address);
      const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
      const key = store.issuingKey(expiresAtMs);
      if (key === undefined) throw new AppError('captcha-unavailable', { retryAfterMs: NO_KEY_RETRY_MS });
      events.challengeIssued();
      const work = difficultyFactor(Math.max(pressure, scarcity()));
      return issueChallenge(random, { key: key.secret, maxNumber, work, expiresAtMs });
    },
    /** Over the limit the proof is kept. Only an accepted one counts, or anybody could use up a network's limit. */
    redeem: async (proof: string, action: VisitorAction, address: string): Promise<Ticket> => {
      const { counters, network } = visitors.visitOf(action, address);
      refuseKnown(counters);
      // An attempt is pointless while no donation would be accepted.
      if (action === 'donation-attempt') refuseKnown(visitors.visitOf('donation', address).counters);
      const verdict = verifyProof(proof, { keyOf: store.keyOf, nowMs: clock.wallMs(), highestNumber });
      if (verdict.kind !== 'valid') return refuseProof(verdict.kind);
      const outcome = await store.redeem(counters, verdict.proof);
      if (typeof outcome === 'object') throw overLimit(outcome.retryAfterMs);
      if (outcome !== 'accepted') return refuseProof(outcome);
      events.proofRedeemed(outcome);
      return { network, work: verdict.work };
    },
  };
};

const overLimit = (retryAfterMs: number): AppError => new AppError('visitor-limit', { retryAfterMs });
