import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Captcha } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { LimitDecision } from '#server/visitors/visitor-counters.ts';
import type { VisitorAction, VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Challenge } from '#shared/contract/challenge.ts';

export type ProofGateDeps = {
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  /** The address that a request is counted against. */
  readonly addressOf: (request: FastifyRequest) => string;
  readonly events: Events;
};

/** What stands before everything a visitor can make us do: an allowance, and a proof that is spent here. */
export type ProofGate = {
  readonly issueChallenge: (request: FastifyRequest) => Promise<Challenge>;
  readonly passProof: (request: FastifyRequest, action: VisitorAction, proof: string) => Promise<void>;
};

const CAPTCHA_RETRY_MS = 5_000;

export const createProofGate = ({ captcha, visitors, addressOf, events }: ProofGateDeps): ProofGate => ({
  issueChallenge: async (request) => {
    const pressure = pressureOf(await visitors.admit('challenge', addressOf(request)));
    events.challengeIssued();
    return captcha.issue(pressure);
  },
  passProof: async (request, action, proof) => {
    const address = addressOf(request);
    pressureOf(await visitors.admit(action, address));
    const redemption = await captcha.redeem(proof);
    events.proofRedeemed(redemption);
    if (redemption === 'accepted') return;
    if (redemption === 'unavailable')
      throw new AppError('captcha-unavailable', { retryAfterMs: CAPTCHA_RETRY_MS });
    // A bad proof costs more of the allowance than a good one, so that guessing is no way in.
    if (redemption === 'invalid') await visitors.penalize(action, address);
    throw new AppError(`proof-${redemption}`);
  },
});

const pressureOf = (decision: LimitDecision): number => {
  if (!decision.allowed) throw new AppError('visitor-limit', { retryAfterMs: decision.retryAfterMs });
  return decision.pressure;
};
