import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { System } from '#server/system.ts';
import { createChallengeIssuer } from './challenge.ts';
import { difficultyFactor, HIGHEST_DIFFICULTY_FACTOR } from './difficulty.ts';
import { verifyProof } from './proof-verifier.ts';
import type { SpendOutcome, SpentProofs } from './spent-proofs.ts';

export type CaptchaOptions = {
  readonly system: System;
  readonly spentProofs: SpentProofs;
  readonly ttlSeconds: number;
  readonly maxNumber: number;
};

export type Redemption = 'accepted' | 'invalid' | 'expired' | 'used' | 'unavailable';

export type Captcha = {
  /** `pressure` (0..1) is the visitor limit's; it makes the puzzle harder by steps. */
  readonly issue: (pressure: number) => Promise<Challenge>;
  /** Spends the proof: of any number of calls with one proof, at most one is `accepted`. */
  readonly redeem: (proof: string) => Promise<Redemption>;
};

const REDEMPTION_OF_OUTCOME = {
  fresh: 'accepted',
  used: 'used',
  full: 'unavailable',
} as const satisfies Record<SpendOutcome, Redemption>;

/** The key may change at any time, so it is asked for each time; only the wrapping is kept. */
const createKeyReader = (spentProofs: SpentProofs): (() => Promise<KeyObject>) => {
  let known: { readonly bytes: Buffer; readonly key: KeyObject } | undefined;
  return async () => {
    const bytes = await spentProofs.signingKey();
    if (known === undefined || !known.bytes.equals(bytes)) known = { bytes, key: createSecretKey(bytes) };
    return known.key;
  };
};

export const createCaptcha = ({ system, spentProofs, ttlSeconds, maxNumber }: CaptchaOptions): Captcha => {
  const { clock, random } = system;
  const ttlMs = ttlSeconds * 1000;
  const highestNumber = maxNumber * HIGHEST_DIFFICULTY_FACTOR;
  const issueChallenge = createChallengeIssuer(random);
  const readKey = createKeyReader(spentProofs);

  const verifyThenSpend = async (proof: string): Promise<Redemption> => {
    const key = await readKey();
    const nowMs = clock.wallMs();
    const verdict = verifyProof(proof, { key, nowMs, ttlMs, highestNumber });
    if (verdict.kind !== 'valid') return verdict.kind;
    return REDEMPTION_OF_OUTCOME[await spentProofs.spend(verdict.challenge, verdict.expiresAtMs - nowMs)];
  };

  return {
    issue: async (pressure) =>
      issueChallenge({
        key: await readKey(),
        maxNumber: maxNumber * difficultyFactor(pressure),
        expiresAtMs: clock.wallMs() + ttlMs,
      }),
    // No answer means no: letting through would allow replays.
    redeem: (proof) => verifyThenSpend(proof).catch(() => 'unavailable'),
  };
};
