import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Random, System } from '#server/system.ts';
import type { Challenge } from '#shared/contract/challenge.ts';
import { isRecord, parseJson } from '#shared/json.ts';

/** The highest step, times the default 1,000,000, still solves in under 5 s on a weak phone. */
export const HIGHEST_DIFFICULTY_FACTOR = 4;

/** With the largest number behind it, a salt still fits into one block of SHA-256. */
const NONCE_BYTES = 10;
const MAX_PROOF_CHARS = 4096;
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

type Solution = Readonly<
  Record<'challenge' | 'salt' | 'signature', string> & Record<'number' | 'work' | 'expiresAtMs', number>
>;

/** Standard or URL alphabet, with or without padding. Node's decoder would skip anything else. */
const BASE64 = /^[\w+/-]+={0,2}$/;
const SHA256_HEX = /^[0-9a-f]{64}$/;
const SALT = /^[0-9a-f]{20}\?work=(?<work>\d)&expires=(?<expires>\d{10})&$/;

const decodeProof = (proof: string): unknown => {
  if (proof.length > MAX_PROOF_CHARS || !BASE64.test(proof)) return undefined;
  return parseJson(Buffer.from(proof, 'base64').toString());
};

/** Any spelling will do, because a challenge is spent by its own hash. */
const parseProof = (proof: string): Solution | undefined => {
  const fields = decodeProof(proof);
  if (!isRecord(fields) || Object.hasOwn(fields, '__proto__')) return undefined;
  const { algorithm, challenge, number, salt, signature } = fields;
  if (algorithm !== 'SHA-256' || !isHash(challenge) || !isHash(signature)) return undefined;
  if (!Number.isSafeInteger(number) || typeof salt !== 'string') return undefined;
  const { work, expires } = SALT.exec(salt)?.groups ?? {};
  const expiresAtMs = Number(expires) * 1000;
  if (work === undefined) return undefined;
  return { challenge, salt, signature, number: number as number, work: Number(work), expiresAtMs };
};

const isHash = (value: unknown): value is string => typeof value === 'string' && SHA256_HEX.test(value);

/** Only the signature is secret, so only it needs the constant time. */
const isAuthentic = ({ challenge, number, salt, signature }: Solution, key: KeyObject): boolean =>
  timingSafeEqual(Buffer.from(sign(challenge, key)), Buffer.from(signature)) &&
  hash('sha256', salt + number) === challenge;

export const verifyProof = (proof: string, rules: ProofRules): ProofVerdict => {
  const { keyOf, nowMs, highestNumber } = rules;
  const solution = parseProof(proof);
  if (solution === undefined || solution.number < 0 || solution.number > highestNumber)
    return { kind: 'invalid' };
  const { challenge, expiresAtMs, work } = solution;
  const key = keyOf(expiresAtMs);
  if (key === undefined || !isAuthentic(solution, key.secret)) return { kind: 'invalid' };
  const leftMs = expiresAtMs - nowMs;
  if (leftMs <= 0) return { kind: 'expired' };
  if (leftMs > CHALLENGE_MS + CLOCK_SKEW_MS) return { kind: 'invalid' };
  return { kind: 'valid', proof: { challengeId: challenge, keyId: key.id }, work };
};

export type SigningKey = { readonly id: string; readonly secret: KeyObject };

export type SignedProof = { readonly challengeId: string; readonly keyId: string };

/** `invalid`: its key is lost. `unavailable`: the memory is full, and an unexpired proof is never forgotten. */
export type SpendOutcome = 'accepted' | 'used' | 'invalid' | 'unavailable';

/** A key dies with the memory of what was spent under it, so what is forgotten cannot be used again. */
export type SpentProofs = {
  readonly issuingKey: (expiresAtMs: number) => SigningKey | undefined;
  readonly keyOf: (expiresAtMs: number) => SigningKey | undefined;
  /** Of parallel calls with one proof, one is accepted. */
  readonly spend: (proof: SignedProof) => SpendOutcome | Promise<SpendOutcome>;
};

/** How long a challenge can be solved. */
export const CHALLENGE_MS = 300_000;

export const KEY_SPAN_MS = 60_000;

export const spanOf = (expiresAtMs: number): number => Math.floor(expiresAtMs / KEY_SPAN_MS);

/** Half of its hex is plenty. */
export const proofDigest = ({ challengeId }: SignedProof): string => challengeId.slice(0, 32);

/** About 27 MB of ids, or 800 proofs a second that live 300 s each. */
export const CAPACITY = 500_000;
const SPANS_KEPT = 1;
const SPANS_AHEAD = 62;

type Page = SigningKey & { readonly spent: Set<string> };

/** In memory: for a site of one server. */
export const createSpentProofs = ({ clock, random }: System, capacity = CAPACITY): SpentProofs => {
  const pages = new Map<number, Page>();

  const addPage = (span: number): Page => {
    const now = spanOf(clock.wallMs());
    for (const old of pages.keys()) if (old < now - SPANS_KEPT || old > now + SPANS_AHEAD) pages.delete(old);
    const id = random.bytes(8).toString('hex');
    const page = { id, secret: createSecretKey(random.bytes(32)), spent: new Set<string>() };
    pages.set(span, page);
    return page;
  };
  const spentCount = (): number => pages.values().reduce((count, { spent }) => count + spent.size, 0);

  return {
    issuingKey: (expiresAtMs) => pages.get(spanOf(expiresAtMs)) ?? addPage(spanOf(expiresAtMs)),
    keyOf: (expiresAtMs) => pages.get(spanOf(expiresAtMs)),
    spend: (proof) => {
      const page = pages.values().find(({ id }) => id === proof.keyId);
      if (page === undefined) return 'invalid';
      // A one-byte string is half the size of the same digest in hex.
      const digest = Buffer.from(proofDigest(proof), 'hex').toString('latin1');
      if (page.spent.has(digest)) return 'used';
      if (spentCount() >= capacity) return 'unavailable';
      page.spent.add(digest);
      return 'accepted';
    },
  };
};
