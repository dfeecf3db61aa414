import { fieldOf, parseJson } from '#shared/json.ts';
import type { WidgetProof } from '#test/support/solve-challenge.ts';

type Respell = (json: string, proof: WidgetProof) => string;

/** The same fields and values in other words. */
const SAME_JSON: Readonly<Record<string, Respell>> = {
  'another key order': (_, { algorithm, challenge, ...rest }) =>
    JSON.stringify({ ...rest, challenge, algorithm }),
  "Python's json.dumps": (json) => json.replaceAll(',"', ', "').replaceAll('":', '": '),
  "Go's encoding/json": (json) => json.replaceAll('&', String.raw`\u0026`),
  "altcha-lib's {...challenge, ...solution}": (_, { number, took, ...challenge }) =>
    JSON.stringify({ ...challenge, maxnumber: 1_000_000, number, took }),
  'took as text': (_, proof) => JSON.stringify({ ...proof, took: '12' }),
  'took as an object': (_, proof) => JSON.stringify({ ...proof, took: { ms: 12 } }),
  'no took': (_, { took: _took, ...rest }) => JSON.stringify(rest),
  'an extra key': (_, proof) => JSON.stringify({ ...proof, extra: 'ÿ✓' }),
  'a duplicate number': (json) => json.replace('"number"', '"number":7,"number"'),
  'a trailing newline': (json) => `${json}\n`,
  'number as n.0': (json, { number }) => json.replace(`:${number},`, `:${number}.0,`),
  'number as ne0': (json, { number }) => json.replace(`:${number},`, `:${number}e0,`),
  'an escaped letter': (json) => json.replace('SHA', String.raw`\u0053HA`),
};

const SAME_BASE64: Readonly<Record<string, (encoded: string) => string>> = {
  'no padding': (encoded) => encoded.replace(/=+$/, ''),
  'the URL alphabet': (encoded) => encoded.replaceAll('+', '-').replaceAll('/', '_'),
};

const OTHER_JSON: Readonly<Record<string, Respell>> = {
  'a __proto__ key': (json) => json.replace('{', '{"__proto__":{},'),
  'its fields behind __proto__': (json) => `{"__proto__":${json}}`,
  'number as text': (_, proof) => JSON.stringify({ ...proof, number: String(proof.number) }),
  'number in a list': (_, proof) => JSON.stringify({ ...proof, number: [proof.number] }),
  'number with a leading zero': (json, { number }) => json.replace(`:${number},`, `:0${number},`),
  'salt without its &': (_, proof) => JSON.stringify({ ...proof, salt: proof.salt.slice(0, -1) }),
  'salt with one more &': (_, proof) => JSON.stringify({ ...proof, salt: `${proof.salt}&` }),
  'challenge in capitals': (_, proof) =>
    JSON.stringify({ ...proof, challenge: proof.challenge.toUpperCase() }),
  'signature in capitals': (_, proof) =>
    JSON.stringify({ ...proof, signature: proof.signature.toUpperCase() }),
  'algorithm in small letters': (_, proof) => JSON.stringify({ ...proof, algorithm: 'sha-256' }),
  'no algorithm': (_, { algorithm: _algorithm, ...rest }) => JSON.stringify(rest),
  'a list of one': (json) => `[${json}]`,
  'a byte order mark': (json) => `\u{FEFF}${json}`,
};

const OTHER_BASE64: Readonly<Record<string, (encoded: string) => string>> = {
  'too much padding': (encoded) => `${encoded}===`,
  'a newline in base64': (encoded) => `${encoded.slice(0, 76)}\n${encoded.slice(76)}`,
  'a space before base64': (encoded) => ` ${encoded}`,
  'a stray character in base64': (encoded) => `${encoded.slice(0, 8)}*${encoded.slice(8)}`,
  'more after base64': (encoded) => `${encoded.replace(/=+$/, '')}AAAA`,
};

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

type Spellings = readonly (readonly [name: string, proof: string])[];

const spell = (proof: WidgetProof, json: typeof SAME_JSON, base64: typeof SAME_BASE64): Spellings => {
  const text = JSON.stringify(proof);
  return [
    ...Object.entries(json).map(([name, respell]) => [name, toBase64(respell(text, proof))] as const),
    ...Object.entries(base64).map(([name, respell]) => [name, respell(toBase64(text))] as const),
  ];
};

/** What counts as the proof itself, and is spent with it. */
export const sameProofs = (proof: WidgetProof): Spellings => spell(proof, SAME_JSON, SAME_BASE64);

/** What some verifier somewhere takes for the proof. */
export const almostProofs = (proof: WidgetProof): Spellings => spell(proof, OTHER_JSON, OTHER_BASE64);

const FIELDS = ['algorithm', 'challenge', 'number', 'salt', 'signature'] as const;

/** Generous: a mutation that it calls the same may be refused all the same. */
export const isSameProof = (text: string, proof: WidgetProof): boolean => {
  const decoded = parseJson(Buffer.from(text, 'base64').toString());
  return FIELDS.every((field) => fieldOf(decoded, field) === proof[field]);
};
