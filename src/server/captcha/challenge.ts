import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { Random } from '#server/system.ts';

type ChallengeTerms = {
  readonly key: KeyObject;
  /** At the default difficulty. */
  readonly maxNumber: number;
  /** How many times that: a hexadecimal digit. */
  readonly work?: number;
  readonly expiresAtMs: number;
};

/** The highest step, times the default 1,000,000, still solves in under 5 s on a weak phone. */
export const HIGHEST_DIFFICULTY_FACTOR = 4;

const NONCE_BYTES = 12;

/** HMAC-SHA256 over the hexadecimal text, as ALTCHA's first protocol has it. */
export const signChallenge = (challenge: string, key: KeyObject): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

export const issueChallenge = (
  random: Random,
  { key, maxNumber, work = 1, expiresAtMs }: ChallengeTerms,
): Challenge => {
  // The work is signed with the rest; nodes of other versions read it as one more random digit.
  const nonce = work.toString(16) + random.bytes(NONCE_BYTES).toString('hex').slice(1);
  const maxnumber = maxNumber * work;
  // The closing `&` keeps digits from moving between the expiry and the number (GHSA-6gvq-jcmp-8959).
  const salt = `${nonce}?expires=${Math.floor(expiresAtMs / 1000)}&`;
  const challenge = hash('sha256', salt + random.integer(maxnumber + 1));
  const signature = signChallenge(challenge, key);
  return { algorithm: 'SHA-256', challenge, salt, signature, maxnumber };
};
