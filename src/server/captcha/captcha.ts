import type { KeyObject } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { System } from '#server/system.ts';
import { HIGHEST_DIFFICULTY_FACTOR, issueChallenge } from './challenge.ts';
import { verifyProof, type ProofVerdict } from './proof-verifier.ts';

export type CaptchaOptions = {
  readonly system: System;
  /** The key for challenges with this expiry; undefined if there is none, or no longer. */
  readonly signingKey: (expiresAtMs: number) => KeyObject | undefined;
  readonly ttlSeconds: number;
  readonly maxNumber: number;
};

export type Captcha = {
  /** `pressure` (0..1) makes the puzzle harder by steps. */
  readonly issue: (pressure: number) => Challenge;
  readonly verify: (proof: string) => ProofVerdict;
};

/** A clock was set; within a second there is a key for the new time. */
const NO_KEY_RETRY_MS = 1_000;

/** `pressure` is the share (0..1) of its burst that a prefix has in use, or for all how scarce tokens are. */
export const difficultyFactor = (pressure: number): number => {
  if (pressure < 0.5) return 1;
  return pressure < 0.8 ? 2 : HIGHEST_DIFFICULTY_FACTOR;
};

export const createCaptcha = ({ system, signingKey, ttlSeconds, maxNumber }: CaptchaOptions): Captcha => {
  const { clock, random } = system;
  const ttlMs = ttlSeconds * 1000;
  const highestNumber = maxNumber * HIGHEST_DIFFICULTY_FACTOR;
  return {
    issue: (pressure) => {
      const expiresAtMs = clock.wallMs() + ttlMs;
      const key = signingKey(expiresAtMs);
      if (key === undefined) throw new AppError('captcha-unavailable', { retryAfterMs: NO_KEY_RETRY_MS });
      return issueChallenge(random, { key, maxNumber, work: difficultyFactor(pressure), expiresAtMs });
    },
    verify: (proof) => verifyProof(proof, { keyOf: signingKey, nowMs: clock.wallMs(), ttlMs, highestNumber }),
  };
};
