import { AppError, isUnavailable } from '#server/app-error.ts';
import type { Events } from '#server/observability/events.ts';
import type { Ticket } from '#server/tokens/fair-order.ts';
import type { System } from '#server/system.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import {
  CHALLENGE_MS,
  HIGHEST_DIFFICULTY_FACTOR,
  issueChallenge,
  verifyProof,
  type SigningKey,
  type SpendOutcome,
  type SpentProofs,
} from './captcha.ts';
import type { Assessment, VisitorAction, VisitorLimits } from './limits.ts';

type AdmissionDeps = {
  readonly system: System;
  readonly proofs: SpentProofs;
  readonly visitors: VisitorLimits;
  readonly maxNumber: number;
  readonly scarcity: () => number;
  readonly events: Pick<Events, 'challengeIssued' | 'proofRedeemed' | 'visitorTurnedAway'>;
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
  const { system, proofs, visitors, maxNumber, scarcity, events } = deps;
  const { clock, random } = system;
  const highestNumber = maxNumber * HIGHEST_DIFFICULTY_FACTOR;

  const refuseOverLimit = (assessment: Assessment): Assessment => {
    const { waitMs } = assessment;
    if (waitMs > 0) throw new AppError('visitor-limit', { retryAfterMs: waitMs });
    return assessment;
  };
  const count = (action: VisitorAction, address: string): Assessment =>
    refuseOverLimit(visitors.visitOf(action, address).take());
  const refuseProof = (outcome: 'expired' | Exclude<SpendOutcome, 'accepted'>): never => {
    events.proofRedeemed(outcome);
    throw outcome === 'unavailable'
      ? new AppError('captcha-unavailable', { retryAfterMs: FULL_RETRY_MS })
      : new AppError(`proof-${outcome}`);
  };

  const turnAway = (error: unknown): never => {
    if (isUnavailable(error)) events.visitorTurnedAway();
    throw error;
  };
  const issuingKey = (expiresAtMs: number): SigningKey | undefined => {
    try {
      return proofs.issuingKey(expiresAtMs);
    } catch (error) {
      return turnAway(error);
    }
  };

  return {
    count,
    issueChallenge: (address: string): Challenge => {
      const { pressure } = count('challenge', address);
      const expiresAtMs = clock.wallMs() + CHALLENGE_MS;
      const key = issuingKey(expiresAtMs);
      if (key === undefined) throw new AppError('captcha-unavailable', { retryAfterMs: NO_KEY_RETRY_MS });
      events.challengeIssued();
      const work = difficultyFactor(Math.max(pressure, scarcity()));
      return issueChallenge(random, { key: key.secret, maxNumber, work, expiresAtMs });
    },
    /** Over the limit the proof is kept. Only an accepted one counts, or anybody could use up a network's limit. */
    redeem: async (proof: string, action: VisitorAction, address: string): Promise<Ticket> => {
      const visit = visitors.visitOf(action, address);
      refuseOverLimit(visit.assess());
      // An attempt is pointless while no donation would be accepted.
      if (action === 'donation-attempt') refuseOverLimit(visitors.visitOf('donation', address).assess());
      const verdict = verifyProof(proof, { keyOf: proofs.keyOf, nowMs: clock.wallMs(), highestNumber });
      if (verdict.kind !== 'valid') return refuseProof(verdict.kind);
      // Others who come meanwhile find it counted.
      visit.take();
      try {
        const outcome = await proofs.spend(verdict.proof);
        if (outcome !== 'accepted') return refuseProof(outcome);
      } catch (error) {
        visit.giveBack();
        return turnAway(error);
      }
      events.proofRedeemed('accepted');
      return { network: visit.network, block: visit.block, work: verdict.work };
    },
  };
};
