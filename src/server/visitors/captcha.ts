import { createHmac, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Random } from '#server/system.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import { CHALLENGE_MS, type SignedProof, type SigningKey } from './spent-proofs.ts';

/** The highest step, times the default 1,000,000, still solves in under 5 s on a weak phone. */
export const HIGHEST_DIFFICULTY_FACTOR = 4;

/** With the largest number behind it, a salt still fits into one block of SHA-256. */
const NONCE_BYTES = 10;
const MAX_PROOF_CHARS = 1024;
/** Another machine that issues challenges may have a clock this far ahead of ours. */
const CLOCK_SKEW_MS = 30_000;

type ChallengeOptions = {
  readonly key: KeyObject;
  readonly maxNumber: number;
  /** How many times the default difficulty: a digit. */
  readonly work: number;
  readonly expiresAtMs: number;
};

/** As ALTCHA's first protocol has it. */
const sign = (challenge: string, key: KeyObject): string =>
  createHmac('sha256', key).update(challenge).digest('hex');

export const issueChallenge = (
  random: Random,
  { key, maxNumber, work, expiresAtMs }: ChallengeOptions,
): Challenge => {
  const nonce = random.bytes(NONCE_BYTES).toString('hex');
  const maxnumber = maxNumber * work;
  // The closing `&` keeps digits from moving between the expiry and the number (GHSA-6gvq-jcmp-8959).
  const salt = `${nonce}?work=${work}&expires=${Math.floor(expiresAtMs / 1000)}&`;
  const challenge = hash('sha256', salt + random.integer(maxnumber + 1));
  return { algorithm: 'SHA-256', challenge, salt, signature: sign(challenge, key), maxnumber };
};

export type ProofRules = {
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  readonly nowMs: number;
  readonly highestNumber: number;
};

type ProofVerdict =
  | { readonly kind: 'valid'; readonly proof: SignedProof; readonly work: number }
  | { readonly kind: 'invalid' | 'expired' };

/** What the widget's `JSON.stringify` writes, byte for byte; any other spelling of the same object is refused. */
const WIDGET_JSON = new RegExp(
  [
    /^\{"algorithm":"SHA-256"/,
    /,"challenge":"(?<challenge>[0-9a-f]{64})"/,
    /,"number":(?<number>0|[1-9]\d{0,15})/,
    /,"salt":"(?<salt>[0-9a-f]{20}\?work=(?<work>\d)&expires=(?<expires>\d{10})&)"/,
    /,"signature":"(?<signature>[0-9a-f]{64})"/,
    /(?:,"took":(?<took>[\d.e+-]{1,24}))?\}$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

type ProofFields = Readonly<
  Record<'challenge' | 'number' | 'salt' | 'work' | 'expires' | 'signature', string> & { took?: string }
>;

const parseProof = (proof: string): ProofFields | undefined => {
  if (proof.length > MAX_PROOF_CHARS) return undefined;
  const bytes = Buffer.from(proof, 'base64');
  // Node's decoder skips what it does not understand, so only the way back proves the spelling.
  if (bytes.toString('base64') !== proof) return undefined;
  const fields = WIDGET_JSON.exec(bytes.toString('latin1'))?.groups as ProofFields | undefined;
  const took = fields?.took;
  return took === undefined || String(Number(took)) === took ? fields : undefined;
};

/** Only the signature is secret, so only it needs the constant time. */
const isAuthentic = ({ challenge, number, salt, signature }: ProofFields, key: KeyObject): boolean =>
  timingSafeEqual(Buffer.from(sign(challenge, key)), Buffer.from(signature)) &&
  hash('sha256', salt + number) === challenge;

export const verifyProof = (proof: string, rules: ProofRules): ProofVerdict => {
  const { keyOf, nowMs, highestNumber } = rules;
  const fields = parseProof(proof);
  if (fields === undefined || Number(fields.number) > highestNumber) return { kind: 'invalid' };
  const expiresAtMs = Number(fields.expires) * 1000;
  const key = keyOf(expiresAtMs);
  if (key === undefined || !isAuthentic(fields, key.secret)) return { kind: 'invalid' };
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return { kind: 'expired' };
  if (leftMs > CHALLENGE_MS + CLOCK_SKEW_MS) return { kind: 'invalid' };
  return {
    kind: 'valid',
    proof: { challengeId: fields.challenge, keyId: key.id },
    work: Number(fields.work),
  };
};
