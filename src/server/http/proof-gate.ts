import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Captcha } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { VisitorAction, VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Challenge } from '#shared/contract/challenge.ts';

export type ProofGateDeps = {
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  /** The address that a request is counted against. */
  readonly addressOf: (request: FastifyRequest) => string;
  readonly events: Events;
};

/**
 * What stands before everything a visitor can make us do: an allowance, and a proof that is spent here. Only a proof
 * that is accepted is counted, so that nobody can use up anything that others share without solving for it.
 */
export type ProofGate = {
  readonly issueChallenge: (request: FastifyRequest) => Promise<Challenge>;
  readonly passProof: (request: FastifyRequest, action: VisitorAction, proof: string) => Promise<void>;
};

const CAPTCHA_RETRY_MS = 5_000;

export const createProofGate = ({ captcha, visitors, addressOf, events }: ProofGateDeps): ProofGate => ({
  issueChallenge: async (request) => {
    const decision = await visitors.admit('challenge', addressOf(request));
    if (!decision.allowed) throw overLimit(decision.retryAfterMs);
    events.challengeIssued();
    return captcha.issue(decision.pressure);
  },
  passProof: async (request, action, proof) => {
    const counted = visitors.eventsOf(action, addressOf(request));
    const waitMs = visitors.knownWaitMs(counted);
    if (waitMs > 0) throw overLimit(waitMs);
    const redemption = await captcha.redeem(proof, counted);
    if (typeof redemption === 'object') throw overLimit(redemption.retryAfterMs);
    events.proofRedeemed(redemption);
    if (redemption === 'accepted') return;
    if (redemption === 'unavailable')
      throw new AppError('captcha-unavailable', { retryAfterMs: CAPTCHA_RETRY_MS });
    throw new AppError(`proof-${redemption}`);
  },
});

const overLimit = (retryAfterMs: number): AppError => new AppError('visitor-limit', { retryAfterMs });
