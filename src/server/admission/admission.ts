import { AppError } from '#server/app-error.ts';
import type { Captcha } from '#server/captcha/captcha.ts';
import type { Events } from '#server/observability/events.ts';
import type { Ticket } from '#server/pool/ticket.ts';
import type { VisitorCounters } from '#server/visitors/visitor-counters.ts';
import { networkOf, type VisitorAction, type VisitorLimits } from '#server/visitors/visitor-limits.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { SpentProofs } from './spent-proofs.ts';

export type AdmissionDeps = {
  readonly captcha: Captcha;
  readonly visitors: VisitorLimits;
  readonly counters: VisitorCounters;
  readonly spentProofs: SpentProofs;
  /** How scarce tokens are, 0..1: while they are, every proof is harder. */
  readonly scarcity: () => number;
  readonly events: Pick<Events, 'challengeIssued' | 'proofRedeemed'>;
};

/** Guards everything that a visitor can make us do. All methods reject with the `AppError` that the visitor is told. */
export type Admission = {
  readonly issueChallenge: (address: string) => Promise<Challenge>;
  /**
   * Verifies the proof, then spends it and counts the visitor: both or neither. A visitor over the limit keeps the
   * proof, and a refused proof counts against nobody: only solving can use up what a network shares.
   */
  readonly admit: (action: VisitorAction, address: string, proof: string) => Promise<Ticket>;
  /** Counts the outcome of an attempt that was admitted. */
  readonly count: (action: VisitorAction, address: string) => Promise<void>;
};

/** Pointless while the visitor may not do what it is for. */
const LEADS_TO: Readonly<Partial<Record<VisitorAction, VisitorAction>>> = { 'donation-attempt': 'donation' };

const FULL_RETRY_MS = 5_000;

export const createAdmission = (deps: AdmissionDeps): Admission => {
  const { captcha, visitors, counters, spentProofs, scarcity, events } = deps;
  const count = async (action: VisitorAction, address: string) => {
    const decision = await counters.take(visitors.eventsOf(action, address));
    if (!decision.allowed) throw overLimit(decision.retryAfterMs);
    return decision;
  };
  return {
    count: async (action, address) => void (await count(action, address)),
    issueChallenge: async (address) => {
      const decision = await count('challenge', address);
      events.challengeIssued();
      return captcha.issue(Math.max(decision.pressure, scarcity()));
    },
    admit: async (action, address, proof) => {
      const counted = visitors.eventsOf(action, address);
      const goal = LEADS_TO[action];
      const inView = goal === undefined ? counted : [...counted, ...visitors.eventsOf(goal, address)];
      const waitMs = counters.knownWaitMs(inView);
      if (waitMs > 0) throw overLimit(waitMs);
      const verdict = captcha.verify(proof);
      const outcome =
        verdict.kind === 'valid' ? await spentProofs.spend(verdict.proof, counted) : verdict.kind;
      if (typeof outcome === 'object') throw overLimit(outcome.retryAfterMs);
      events.proofRedeemed(outcome);
      if (outcome === 'accepted')
        return { network: networkOf(counted), work: verdict.kind === 'valid' ? verdict.work : 1 };
      if (outcome === 'unavailable')
        throw new AppError('captcha-unavailable', { retryAfterMs: FULL_RETRY_MS });
      throw new AppError(`proof-${outcome}`);
    },
  };
};

const overLimit = (retryAfterMs: number): AppError => new AppError('visitor-limit', { retryAfterMs });
