import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { Random } from '#server/system.ts';

type ChallengeTerms = {
  readonly key: KeyObject;
  readonly maxNumber: number;
  readonly expiresAtMs: number;
};

const NONCE_BYTES = 12;

/** HMAC-SHA256 over the hexadecimal text, as ALTCHA's first protocol has it. */
export const signChallenge = (challenge: string, key: KeyObject): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

export const issueChallenge = (
  random: Random,
  { key, maxNumber, expiresAtMs }: ChallengeTerms,
): Challenge => {
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  // The closing `&` keeps digits from moving between the expiry and the number (GHSA-6gvq-jcmp-8959).
  const salt = `${nonce}?expires=${Math.floor(expiresAtMs / 1000)}&`;
  const challenge = hash('sha256', salt + random.integer(maxNumber + 1));
  const signature = signChallenge(challenge, key);
  return { algorithm: 'SHA-256', challenge, salt, signature, maxnumber: maxNumber };
};
