import type { Challenge } from '#shared/contract/challenge.ts';
import type { System } from '#server/system.ts';
import type { LimitedEvent, LimitRefusal } from '#server/visitors/visitor-counters.ts';
import { createChallengeIssuer } from './challenge.ts';
import { verifyProof } from './proof-verifier.ts';
import type { SpentProofs } from './spent-proofs.ts';

export type CaptchaOptions = {
  readonly system: System;
  readonly spentProofs: SpentProofs;
  readonly ttlSeconds: number;
  readonly maxNumber: number;
};

export type Redemption = 'accepted' | 'invalid' | 'expired' | 'used' | 'unavailable' | LimitRefusal;

export type Captcha = {
  /** `pressure` (0..1) is the visitor limit's; it makes the puzzle harder by steps. */
  readonly issue: (pressure: number) => Promise<Challenge>;
  /**
   * Spends the proof and counts the events, both or neither: of any number of calls with one proof, at most one is
   * `accepted`.
   */
  readonly redeem: (proof: string, events: readonly LimitedEvent[]) => Promise<Redemption>;
};

/** The highest step, times the default 1,000,000, still solves in under 5 s on a weak phone. */
export const HIGHEST_DIFFICULTY_FACTOR = 4;

/** `pressure` is the share (0..1) of its burst that a prefix has in use; other prefixes feel nothing of it. */
export const difficultyFactor = (pressure: number): number => {
  if (pressure < 0.5) return 1;
  return pressure < 0.8 ? 2 : HIGHEST_DIFFICULTY_FACTOR;
};

export const createCaptcha = ({ system, spentProofs, ttlSeconds, maxNumber }: CaptchaOptions): Captcha => {
  const { clock, random } = system;
  const ttlMs = ttlSeconds * 1000;
  const highestNumber = maxNumber * HIGHEST_DIFFICULTY_FACTOR;
  const issueChallenge = createChallengeIssuer(random);

  const verifyThenSpend = async (proof: string, events: readonly LimitedEvent[]): Promise<Redemption> => {
    const key = await spentProofs.signingKey();
    const nowMs = clock.wallMs();
    const verdict = verifyProof(proof, { key, nowMs, ttlMs, highestNumber });
    if (verdict.kind !== 'valid') return verdict.kind;
    const ttlLeftMs = verdict.expiresAtMs - nowMs;
    return await spentProofs.spend({ challengeId: verdict.challenge, ttlMs: ttlLeftMs, key, events });
  };

  return {
    issue: async (pressure) =>
      issueChallenge({
        key: await spentProofs.signingKey(),
        maxNumber: maxNumber * difficultyFactor(pressure),
        expiresAtMs: clock.wallMs() + ttlMs,
      }),
    redeem: verifyThenSpend,
  };
};
