import { createHmac, createSecretKey, hash } from 'node:crypto';
import * as altcha from 'altcha-lib/v1';
import * as fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { ChallengeSchema, type Challenge } from '#shared/contract/challenge.ts';
import { almostProofs, sameProofs } from '#test/attacks/proof-spellings.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge, type WidgetProof } from '#test/support/solve-challenge.ts';
import { CHALLENGE_MS, issueChallenge, verifyProof, type ProofRules } from './captcha.ts';

const KEY_TEXT = 'a key of thirty-two characters..';
const { clock, random } = createFakeSystem();
const nowMs = clock.wallMs();
const key = createSecretKey(KEY_TEXT, 'utf8');
const rules: ProofRules = { keyOf: () => ({ id: 'k', secret: key }), nowMs, highestNumber: 4_000 };

const solved = (expiresAtMs = nowMs + CHALLENGE_MS): WidgetProof =>
  solveChallenge(issueChallenge(random, { key, maxNumber: 1_000, work: 1, expiresAtMs }));

const sign = (challenge: string) => createHmac('sha256', key).update(challenge).digest('hex');

/** A proof that nobody but the key's owner can make, for rules that a real issuer would never break. */
const signed = (salt: string, number: number | string): WidgetProof => {
  const challenge = hash('sha256', `${salt}${number}`);
  return { algorithm: 'SHA-256', challenge, number: number as number, salt, signature: sign(challenge) };
};

const kindOf = (proof: string, override: Partial<ProofRules> = {}) =>
  verifyProof(proof, { ...rules, ...override }).kind;
const IN_A_SECOND = (nowMs + 1000) / 1000;
const NONCE = 'ab'.repeat(10);
const saltExpiring = (atMs: number) => `${NONCE}?work=1&expires=${atMs / 1000}&`;

const options = { key, maxNumber: 3, work: 1, expiresAtMs: 1_800_000_000_999 };
it('§123, 189 a challenge has the shape of the contract', () => {
  const challenge = issueChallenge(random, { ...options, work: 2 });
  expect(Value.Check(ChallengeSchema, challenge)).toBe(true);
  expect(challenge).toEqual({
    algorithm: 'SHA-256',
    challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
    salt: expect.stringMatching(/^[0-9a-f]{20}\?work=2&expires=1800000000&$/),
    signature: sign(challenge.challenge),
    maxnumber: 6,
  });
});

it('challenges hide every number from 0 to maxnumber, both included, and never repeat a salt', () => {
  const challenges = Array.from({ length: 200 }, () => issueChallenge(random, options));
  expect(new Set(challenges.map((one) => solveChallenge(one).number))).toEqual(new Set([0, 1, 2, 3]));
  expect(new Set(challenges.map(({ salt }) => salt)).size).toBe(200);
});

it('a salt leaves room for the largest number in the block of SHA-256 that holds the salt', () => {
  const { salt } = issueChallenge(random, { ...options, maxNumber: 10_000_000, work: 4 });
  expect(salt.length + '40000000'.length + 9).toBeLessThanOrEqual(64);
});

type Issued = Challenge | Awaited<ReturnType<typeof altcha.createChallenge>>;

const solveWithLibrary = async (issued: Issued): Promise<string> => {
  const { algorithm, challenge, salt, signature } = issued;
  const solution = await altcha.solveChallenge(challenge, salt, algorithm, 200).promise;
  const { number, took } = solution ?? {};
  return encodeProof({ algorithm, challenge, number, salt, signature, took });
};

it('§127 what the library issues and solves is accepted, and it solves and accepts what we issue', async () => {
  const expires = new Date(nowMs + CHALLENGE_MS);
  const theirs = { hmacKey: KEY_TEXT, maxnumber: 200, expires, saltLength: 10, params: { work: '2' } };
  for (let round = 0; round < 20; round += 1) {
    const issued = await altcha.createChallenge(theirs);
    const proof = { challengeId: issued.challenge, keyId: 'k' };
    expect(verifyProof(await solveWithLibrary(issued), rules)).toEqual({ kind: 'valid', proof, work: 2 });
    const ours = issueChallenge(random, { key, maxNumber: 200, work: 1, expiresAtMs: expires.getTime() });
    const solution = await solveWithLibrary(ours);
    expect([await altcha.verifySolution(solution, KEY_TEXT), kindOf(solution)]).toEqual([true, 'valid']);
  }
});

it('a proof is refused with digits moved from the number into the expiry (GHSA-6gvq-jcmp-8959)', () => {
  const prefix = `${NONCE}?work=1&expires=`;
  // Without the closing `&` both of these are the same hashed text and carry the same signature.
  const original = signed(`${prefix}${nowMs / 1000 - 1}`, 1234);
  const spliced = { ...original, salt: `${prefix}${nowMs / 1000 - 1}1`, number: 234 };
  const splicedWithEnd = { ...original, salt: `${prefix}${nowMs / 1000 - 1}1&`, number: 234 };
  expect(hash('sha256', spliced.salt + spliced.number)).toBe(original.challenge);
  for (const proof of [original, spliced, splicedWithEnd]) expect(kindOf(encodeProof(proof))).toBe('invalid');
});

it.each([
  ['no expiry', `${NONCE}?work=1&`],
  ['no work', `${NONCE}?expires=${IN_A_SECOND}&`],
  ['its parameters in another order', `${NONCE}?expires=${IN_A_SECOND}&work=1&`],
  ['another parameter', `${NONCE}?work=1&expires=${IN_A_SECOND}&a=b&`],
  ['two expiries', `${NONCE}?work=1&expires=${IN_A_SECOND}&expires=${IN_A_SECOND}&`],
  ['a short nonce', `${NONCE.slice(2)}?work=1&expires=${IN_A_SECOND}&`],
  ['an expiry of eleven digits', `${NONCE}?work=1&expires=0${IN_A_SECOND}&`],
])('a salt with %s is refused even when signed', (_name, salt) => {
  expect(kindOf(encodeProof(signed(salt, 5)))).toBe('invalid');
});

it.each([-1, 1.5, 4_001, Number.MAX_SAFE_INTEGER + 1, 1e300])(
  'the number %s is refused even when signed',
  (number) => {
    expect(kindOf(encodeProof(signed(saltExpiring(nowMs + 1000), number)))).toBe('invalid');
  },
);

it('a proof is refused with any number but the hidden one, or signed with a key that is gone', () => {
  const proof = solved();
  for (const off of [-1, 1, 1_000])
    expect(kindOf(encodeProof({ ...proof, number: Math.abs(proof.number + off) }))).toBe('invalid');
  const salt = proof.salt.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  expect(kindOf(encodeProof({ ...proof, salt }))).toBe('invalid');
  expect(kindOf(encodeProof(proof))).toBe('valid');
  expect(kindOf(encodeProof(proof), { keyOf: () => undefined })).toBe('invalid');
});

it('both ends of the range of numbers are accepted', () => {
  for (const number of [0, 4_000])
    expect(kindOf(encodeProof(signed(saltExpiring(nowMs + 1000), number)))).toBe('valid');
});

const atExpiry = encodeProof(solved(nowMs + CHALLENGE_MS));

it.each([
  ['just issued', nowMs, 'valid'],
  ['a millisecond before', nowMs + CHALLENGE_MS - 1, 'valid'],
  ['at the expiry', nowMs + CHALLENGE_MS, 'expired'],
  ['long after', nowMs + 100 * CHALLENGE_MS, 'expired'],
  ['on a clock 30 s behind', nowMs - 30_000, 'valid'],
  ['on a clock further behind', nowMs - 30_001, 'invalid'],
])('a proof %s, at %d, is %s', (_name, at, kind) => expect(kindOf(atExpiry, { nowMs: at })).toBe(kind));

it('a challenge that we never signed is not called expired', () => {
  const forged = { ...signed(saltExpiring(nowMs - 1000), 5), signature: 'ab'.repeat(32) };
  expect(kindOf(encodeProof(forged))).toBe('invalid');
});

const proof = solved();
const json = JSON.stringify(proof);
it.each(sameProofs(proof))('§126 a proof spelled with %s is the same proof', (_name, text) => {
  const challengeId = proof.challenge;
  expect(verifyProof(text, rules)).toEqual({ kind: 'valid', proof: { challengeId, keyId: 'k' }, work: 1 });
});

it.each<readonly [name: string, proof: string]>([
  ...almostProofs(proof),
  ['took as a lone sign', btoa(json.replace(':12}', ':-}'))],
  ['SHA-512', btoa(json.replace('SHA-256', 'SHA-512'))],
  ['more than 4 KiB', btoa(JSON.stringify({ ...proof, extra: 'x'.repeat(3_000) }))],
  ['no JSON', btoa('null')],
  ['no base64', json],
  ['nothing', ''],
])('a proof spelled with %s is refused', (_name, text) => {
  expect(kindOf(text)).toBe('invalid');
});

it('a proof is accepted with its fields in any order, with blanks, and with other fields beside them', () => {
  const entries = Object.entries(solved());
  const others = fc.dictionary(
    fc.string().filter((name) => name !== '__proto__' && !(name in proof)),
    fc.jsonValue({ maxDepth: 1 }),
    { maxKeys: 3 },
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(entries, { minLength: 6 }), others, fc.nat(4), (order, other, indent) => {
      const text = JSON.stringify({ ...other, ...Object.fromEntries(order) }, null, indent);
      fc.pre(text.length < 2_000);
      const encoding = indent % 2 === 0 ? 'base64' : 'base64url';
      expect(kindOf(Buffer.from(text).toString(encoding))).toBe('valid');
    }),
  );
});

// Mutated bytes and texts are in test/attacks.
const fields = ['algorithm', 'challenge', 'number', 'salt', 'signature'] as const;

it('§183 any mutation of a field is invalid', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, value) => {
      const text = JSON.stringify({ ...proof, [field]: value });
      fc.pre(text !== json);
      expect(kindOf(Buffer.from(text).toString('base64'))).not.toBe('valid');
    }),
    { numRuns: 2_000 },
  );
});
