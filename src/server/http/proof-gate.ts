import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { Captcha, Redemption } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { VisitorAction, VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import type { AddressOf } from './http-server.ts';

export type ProofGateDeps = {
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  readonly addressOf: AddressOf;
  readonly events: Events;
};

/** What stands before everything a visitor can make us do: an allowance, and a proof that is spent here. */
export type ProofGate = (request: FastifyRequest, action: VisitorAction, proof: string) => Promise<void>;

const CODE_OF_REDEMPTION = {
  invalid: 'proof-invalid',
  expired: 'proof-expired',
  used: 'proof-used',
  unavailable: 'captcha-unavailable',
} as const satisfies Record<Exclude<Redemption, 'accepted'>, ErrorCode>;

const CAPTCHA_RETRY_MS = 5_000;

export const createProofGate =
  ({ captcha, visitors, addressOf, events }: ProofGateDeps): ProofGate =>
  async (request, action, proof) => {
    const address = addressOf(request);
    const decision = await visitors.admit(action, address);
    if (!decision.allowed) throw new AppError('visitor-limit', { retryAfterMs: decision.retryAfterMs });
    const redemption = await captcha.redeem(proof);
    events.proofRedeemed(redemption);
    if (redemption === 'accepted') return;
    // A bad proof costs more of the allowance than a good one, so that guessing is no way in.
    if (redemption === 'invalid') await visitors.penalize(action, address);
    const retry = redemption === 'unavailable' ? { retryAfterMs: CAPTCHA_RETRY_MS } : {};
    throw new AppError(CODE_OF_REDEMPTION[redemption], retry);
  };
