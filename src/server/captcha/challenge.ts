import { createHmac, hash, type KeyObject } from 'node:crypto';
import type { Challenge } from '#shared/contract/challenge.ts';
import type { Random } from '#server/system.ts';

type ChallengeTerms = {
  readonly key: KeyObject;
  readonly maxNumber: number;
  readonly expiresAtMs: number;
};

const NONCE_BYTES = 12;
/** One system call serves this many nonces. */
const NONCES_PER_DRAW = 341;

const createNonces = (random: Random): (() => string) => {
  let pool: Buffer = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = random.bytes(NONCE_BYTES * NONCES_PER_DRAW);
      used = 0;
    }
    used += NONCE_BYTES;
    return pool.toString('hex', used - NONCE_BYTES, used);
  };
};

/** HMAC-SHA256 over the hexadecimal text, as ALTCHA's first protocol has it. */
export const signChallenge = (challenge: string, key: KeyObject): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

export const createChallengeIssuer = (random: Random): ((terms: ChallengeTerms) => Challenge) => {
  const nextNonce = createNonces(random);
  return ({ key, maxNumber, expiresAtMs }) => {
    // The closing `&` keeps digits from moving between the expiry and the number (GHSA-6gvq-jcmp-8959).
    const salt = `${nextNonce()}?expires=${Math.floor(expiresAtMs / 1000)}&`;
    const challenge = hash('sha256', salt + random.integer(maxNumber + 1));
    const signature = signChallenge(challenge, key);
    return { algorithm: 'SHA-256', challenge, salt, signature, maxnumber: maxNumber };
  };
};
