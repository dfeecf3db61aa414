import { createSecretKey } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { respellProof } from '#test/attacks/proof-spellings.ts';
import { createFakeSystem } from '#test/support/fake-system.ts';
import { encodeProof, solveChallenge, type WidgetProof } from '#test/support/solve-challenge.ts';
import { issueChallenge, verifyProof } from './captcha.ts';
import { CHALLENGE_MS } from './spent-proofs.ts';

const { clock, random } = createFakeSystem();
const nowMs = clock.wallMs();
const key = createSecretKey(random.bytes(32));

const solved = (): WidgetProof =>
  solveChallenge(issueChallenge(random, { key, maxNumber: 1_000, expiresAtMs: nowMs + CHALLENGE_MS }));

const kindOf = (proof: string) =>
  verifyProof(proof, { keyOf: () => ({ id: 'k', secret: key }), nowMs, highestNumber: 4_000 }).kind;

const proof = solved();
const { algorithm, challenge, number, salt, signature, took } = proof;
const json = JSON.stringify(proof);
const encoded = btoa(json);
const respelledJson: Record<string, string> = {
  'took null': JSON.stringify({ ...proof, took: null }),
  'took as 012': json.replace(':12}', ':012}'),
  'took as 1.2e1': json.replace(':12}', ':1.2e1}'),
  'took as -0': json.replace(':12}', ':-0}'),
  'took as a lone sign': json.replace(':12}', ':-}'),
  'took beyond all numbers': json.replace(':12}', ':1e999}'),
  'test mode': JSON.stringify({ algorithm, challenge, number, salt, signature, test: true, took }),
  'a __proto__ that holds the fields': `{"__proto__":${json}}`,
  'a constructor key': json.replace('}', ',"constructor":1}'),
  'a leading space': ` ${json}`,
  'a byte order mark': `\u00EF\u00BB\u00BF${json}`,
  'salt in upper case': JSON.stringify({ ...proof, salt: salt.toUpperCase() }),
  'SHA-512': JSON.stringify({ ...proof, algorithm: 'SHA-512' }),
  'a text of JSON': JSON.stringify(json),
};
const respelledBase64: Record<string, string> = {
  'no padding': btoa(JSON.stringify({ ...proof, took: 1 })).replace(/=+$/, ''),
  'base64 twice': btoa(encoded),
  'the JSON itself': json,
  hexadecimal: Buffer.from(json).toString('hex'),
  'UTF-16': Buffer.from(json, 'utf16le').toString('base64'),
};
const respellings = [
  ...respellProof(proof),
  ...Object.entries(respelledJson).map(([name, text]) => [name, btoa(text)] as const),
  ...Object.entries(respelledBase64),
];

it.each([undefined, 0, 1, -3, 1234, 0.1, 12.300000011920929, 1e-7, -1.7976931348623157e308])(
  'the time %s that a search took is accepted as JSON.stringify writes it',
  (took) => {
    const { took: _, ...proof } = solved();
    expect(kindOf(encodeProof({ ...proof, took }))).toBe('valid');
  },
);

it('the proof that the tables respell is accepted', () => expect(kindOf(encoded)).toBe('valid'));

it.each(respellings)('a proof spelled with %s is refused', (_name, text) => {
  expect(text).not.toBe(encoded);
  expect(kindOf(text)).toBe('invalid');
});

it('a proof is refused with unused bits set in the last base64 character', () => {
  const padded = [1, 12, 123]
    .map((took) => encodeProof({ ...proof, took }))
    .find((text) => text.endsWith('='));
  const respelled =
    padded?.replace(/.(?==+$)/, (last) => String.fromCharCode((last.codePointAt(0) ?? 0) + 1)) ?? '';
  expect(Buffer.from(respelled, 'base64')).toEqual(Buffer.from(padded ?? '', 'base64'));
  expect([kindOf(padded ?? ''), kindOf(respelled)]).toEqual(['valid', 'invalid']);
});

it('a proof in the URL alphabet of base64 is refused', () => {
  const withSlash =
    Array.from({ length: 100 }, () => encodeProof(solved())).find((text) => text.includes('/')) ?? '';
  expect(kindOf(withSlash)).toBe('valid');
  expect(kindOf(withSlash.replaceAll('/', '_'))).toBe('invalid');
});

it.each(['', '=', '====', 'null', btoa(''), btoa('null'), btoa('5'), btoa('[]'), btoa('{}'), btoa('"x"')])(
  '%j is no proof',
  (text) => expect(kindOf(text)).toBe('invalid'),
);

it('junk of any length is no proof', () => {
  for (const length of [1_025, 4_096, 1_000_000]) expect(kindOf('A'.repeat(length))).toBe('invalid');
});

// Mutated bytes and texts are in test/attacks.
const fields = ['algorithm', 'challenge', 'number', 'salt', 'signature'] as const;

it('§183 any mutation of a field is invalid', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.jsonValue(), (field, value) => {
      fc.pre(!Object.is(value, proof[field]));
      const text = JSON.stringify({ ...proof, [field]: value });
      fc.pre(text !== json);
      expect(kindOf(Buffer.from(text).toString('base64'))).not.toBe('valid');
    }),
    { numRuns: 2_000 },
  );
});
