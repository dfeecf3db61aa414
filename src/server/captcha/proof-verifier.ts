import { hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SignedProof, SigningKey } from '#server/state/admission-store.ts';
import { HIGHEST_DIFFICULTY_FACTOR, signChallenge } from './challenge.ts';

export type ProofRules = {
  /** The key that signs challenges with this expiry, if there still is one. */
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  readonly nowMs: number;
  readonly ttlMs: number;
  /** The largest number that any challenge may hide. */
  readonly highestNumber: number;
};

export type ProofVerdict =
  /** `work`: how many times the default difficulty it had. */
  | { readonly kind: 'valid'; readonly proof: SignedProof; readonly work: number }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' };

type ProofFields = {
  readonly challenge: string;
  readonly number: string;
  readonly salt: string;
  readonly work: string;
  readonly expires: string;
  readonly signature: string;
};

const MAX_PROOF_CHARS = 1024;
/** Another machine that issues challenges may have a clock this far ahead of ours. */
const CLOCK_SKEW_MS = 30_000;

/**
 * What the widget's `JSON.stringify` writes, byte for byte; any other spelling of the same object is refused. The groups
 * are those of `ProofFields`, and have no names because names cost each proof 0.4 µs.
 */
const WIDGET_JSON = new RegExp(
  [
    /^\{"algorithm":"SHA-256"/,
    /,"challenge":"([0-9a-f]{64})"/,
    /,"number":(0|[1-9]\d{0,15})/,
    /,"salt":"(([0-9a-f])[0-9a-f]{23}\?expires=(\d{10})&)"/,
    /,"signature":"([0-9a-f]{64})"/,
    /(?:,"took":([\d.e+-]{1,24}))?\}$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

const decodeBase64 = (text: string): string | undefined => {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not understand, so only the way back proves the spelling.
  return bytes.toString('base64') === text ? bytes.toString('latin1') : undefined;
};

const parseProof = (proof: string): ProofFields | undefined => {
  if (proof.length > MAX_PROOF_CHARS) return undefined;
  const json = decodeBase64(proof);
  if (json === undefined) return undefined;
  const [, challenge, number = '', salt = '', work = '', expires = '', signature = '', took] =
    WIDGET_JSON.exec(json) ?? [];
  if (challenge === undefined || (took !== undefined && String(Number(took)) !== took)) return undefined;
  return { challenge, number, salt, work, expires, signature };
};

const equalDigests = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));

/** Only the signature is secret: anybody can hash, and the challenge is known. */
const isAuthentic = ({ challenge, number, salt, signature }: ProofFields, key: KeyObject): boolean =>
  equalDigests(signChallenge(challenge, key), signature) && hash('sha256', salt + number) === challenge;

/** Never throws, whatever the text. `expired` is only said of challenges that we signed. */
export const verifyProof = (
  proof: string,
  { keyOf, nowMs, ttlMs, highestNumber }: ProofRules,
): ProofVerdict => {
  const fields = parseProof(proof);
  if (fields === undefined || Number(fields.number) > highestNumber) return { kind: 'invalid' };
  const expiresAtMs = Number(fields.expires) * 1000;
  const key = keyOf(expiresAtMs);
  if (key === undefined || !isAuthentic(fields, key.secret)) return { kind: 'invalid' };
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return { kind: 'expired' };
  if (leftMs > ttlMs + CLOCK_SKEW_MS) return { kind: 'invalid' };
  const work = Math.min(Math.max(1, Number.parseInt(fields.work, 16)), HIGHEST_DIFFICULTY_FACTOR);
  return { kind: 'valid', proof: { challengeId: fields.challenge, keyId: key.id }, work };
};
