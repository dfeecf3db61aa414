import { createHmac, createSecretKey, hash } from 'node:crypto';
import * as altcha from 'altcha-lib/v1';
import { describe, expect, it } from 'vitest';
import type { Challenge } from '#shared/contract/challenge.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge, type WidgetProof } from '#test/support/solve-challenge.ts';
import { issueChallenge } from './challenge.ts';
import { verifyProof, type ProofRules } from './proof-verifier.ts';

const KEY_TEXT = 'a key of thirty-two characters..';
const TTL_MS = 300_000;
const { clock, random } = createFakeSystem();
const nowMs = clock.wallMs();
const key = createSecretKey(KEY_TEXT, 'utf8');
const rules: ProofRules = {
  keyOf: () => ({ id: 'k', secret: key }),
  nowMs,
  ttlMs: TTL_MS,
  highestNumber: 4_000,
};

const solved = (expiresAtMs = nowMs + TTL_MS): WidgetProof =>
  solveChallenge(issueChallenge(random, { key, maxNumber: 1_000, expiresAtMs }));

const sign = (challenge: string) => createHmac('sha256', key).update(challenge).digest('hex');

/** A proof that nobody but the key's owner can make, for rules that a real issuer would never break. */
const signed = (salt: string, number: number | string): WidgetProof => {
  const challenge = hash('sha256', `${salt}${number}`);
  return { algorithm: 'SHA-256', challenge, number: number as number, salt, signature: sign(challenge) };
};

const kindOf = (proof: string, override: Partial<ProofRules> = {}) =>
  verifyProof(proof, { ...rules, ...override }).kind;
const saltExpiring = (atMs: number) => `${'ab'.repeat(12)}?expires=${atMs / 1000}&`;

type Issued = Challenge | Awaited<ReturnType<typeof altcha.createChallenge>>;

describe('agreement with altcha-lib', () => {
  const solveWithLibrary = async (issued: Issued): Promise<string> => {
    const { algorithm, challenge, salt, signature } = issued;
    const solution = await altcha.solveChallenge(challenge, salt, algorithm, 200).promise;
    const { number, took } = solution ?? {};
    return encodeProof({ algorithm, challenge, number, salt, signature, took });
  };

  it('accepts what the library issues and solves', async () => {
    for (let round = 0; round < 20; round += 1) {
      const expires = new Date(nowMs + TTL_MS);
      const issued = await altcha.createChallenge({ hmacKey: KEY_TEXT, maxnumber: 200, expires });
      expect(verifyProof(await solveWithLibrary(issued), rules)).toEqual({
        kind: 'valid',
        proof: { challengeId: issued.challenge, keyId: 'k' },
        work: expect.any(Number) as number,
      });
    }
  });

  it('issues what the library solves and accepts', async () => {
    for (let round = 0; round < 20; round += 1) {
      const issued = issueChallenge(random, { key, maxNumber: 200, expiresAtMs: nowMs + TTL_MS });
      const proof = await solveWithLibrary(issued);
      expect(await altcha.verifySolution(proof, KEY_TEXT)).toBe(true);
      expect(kindOf(proof)).toBe('valid');
    }
  });
});

describe('forgery', () => {
  it('refuses digits moved from the number into the expiry (GHSA-6gvq-jcmp-8959)', () => {
    const prefix = `${'ab'.repeat(12)}?expires=`;
    // Without the closing `&` both of these are the same hashed text and carry the same signature.
    const original = signed(`${prefix}${nowMs / 1000 - 1}`, 1234);
    const spliced = { ...original, salt: `${prefix}${nowMs / 1000 - 1}1`, number: 234 };
    const splicedWithEnd = { ...original, salt: `${prefix}${nowMs / 1000 - 1}1&`, number: 234 };
    expect(hash('sha256', spliced.salt + spliced.number)).toBe(original.challenge);
    for (const proof of [original, spliced, splicedWithEnd])
      expect(kindOf(encodeProof(proof))).toBe('invalid');
  });

  it('refuses an expiry that was moved into the number', async () => {
    const nonce = 'ab'.repeat(12);
    const original = signed(`${nonce}?action=lookup&expires=1000000000&`, 42);
    const stripped = { ...original, salt: `${nonce}?action=lookup&`, number: 'expires=1000000000&42' };
    expect(await altcha.verifySolution(encodeProof(stripped), KEY_TEXT)).toBe(true);
    expect(kindOf(encodeProof(stripped))).toBe('invalid');
    const ours = solved(nowMs - 1000);
    const [bare, expiry] = ours.salt.split('?');
    expect(kindOf(encodeProof({ ...ours, salt: bare, number: `?${expiry}${ours.number}` }))).toBe('invalid');
  });

  it.each([
    ['no expiry', `${'ab'.repeat(12)}&`],
    ['another parameter first', `${'ab'.repeat(12)}?a=b&expires=${(nowMs + 1000) / 1000}&`],
    ['another parameter last', `${'ab'.repeat(12)}?expires=${(nowMs + 1000) / 1000}&a=b&`],
    ['two expiries', `${'ab'.repeat(12)}?expires=${(nowMs + 1000) / 1000}&expires=${(nowMs + 2000) / 1000}&`],
    ['expire instead of expires', `${'ab'.repeat(12)}?expire=${(nowMs + 1000) / 1000}&`],
    ['a short nonce', `${'ab'.repeat(11)}?expires=${(nowMs + 1000) / 1000}&`],
    ['an expiry of eleven digits', `${'ab'.repeat(12)}?expires=0${(nowMs + 1000) / 1000}&`],
  ])('refuses a salt with %s even when signed', (_name, salt) => {
    expect(kindOf(encodeProof(signed(salt, 5)))).toBe('invalid');
  });

  it.each([-1, 1.5, 4_001, Number.MAX_SAFE_INTEGER + 1, 1e300])(
    'refuses the number %s even when signed',
    (number) => {
      expect(kindOf(encodeProof(signed(saltExpiring(nowMs + 1000), number)))).toBe('invalid');
    },
  );

  it('accepts both ends of the number range', () => {
    for (const number of [0, 4_000]) {
      expect(kindOf(encodeProof(signed(saltExpiring(nowMs + 1000), number)))).toBe('valid');
    }
  });

  it('refuses another key, a wrong number and fields of two challenges mixed', () => {
    const [one, two] = [solved(), solved()];
    expect(
      kindOf(encodeProof(one), { keyOf: () => ({ id: 'k', secret: createSecretKey(Buffer.alloc(32)) }) }),
    ).toBe('invalid');
    expect(kindOf(encodeProof({ ...one, number: one.number + 1 }))).toBe('invalid');
    for (const field of ['challenge', 'salt', 'signature'] as const) {
      expect(kindOf(encodeProof({ ...one, [field]: two[field] }))).toBe('invalid');
    }
  });
});

it.each([
  ['0', 1],
  ['1', 1],
  ['2', 2],
  ['4', 4],
  ['f', 4],
])('takes the first digit %s of a nonce for %s times the work', (digit, work) => {
  const salt = `${digit}${saltExpiring(nowMs + 1000).slice(1)}`;
  expect(verifyProof(encodeProof(signed(salt, 5)), rules)).toMatchObject({ kind: 'valid', work });
});

describe('expiry', () => {
  const atExpiry = encodeProof(solved(nowMs + TTL_MS));

  it.each([
    ['just issued', nowMs, 'valid'],
    ['a millisecond before', nowMs + TTL_MS - 1, 'valid'],
    ['at the expiry', nowMs + TTL_MS, 'expired'],
    ['long after', nowMs + 100 * TTL_MS, 'expired'],
    ['on a clock 30 s behind', nowMs - 30_000, 'valid'],
    ['on a clock further behind', nowMs - 30_001, 'invalid'],
  ])('%s', (_name, at, kind) => expect(kindOf(atExpiry, { nowMs: at })).toBe(kind));

  it('does not say expired of a challenge that we never signed', () => {
    const forged = { ...signed(saltExpiring(nowMs - 1000), 5), signature: 'ab'.repeat(32) };
    expect(kindOf(encodeProof(forged))).toBe('invalid');
  });
});
