import type { WidgetProof } from '#test/support/solve-challenge.ts';

type Respell = (json: string, proof: WidgetProof) => string;

/** Spellings of one solved proof that some verifier somewhere takes for the proof itself. */
const JSON_SPELLINGS: Readonly<Record<string, Respell>> = {
  'another key order': (_, { algorithm, challenge, ...rest }) =>
    JSON.stringify({ challenge, algorithm, ...rest }),
  'took as text': (_, proof) => JSON.stringify({ ...proof, took: '12' }),
  'took as 12.0': (json) => json.replace(':12}', ':12.0}'),
  'an extra key': (_, proof) => JSON.stringify({ ...proof, extra: 1 }),
  'a __proto__ key': (json) => json.replace('{', '{"__proto__":{},'),
  'a duplicate number': (json) => json.replace('"number"', '"number":7,"number"'),
  'a space': (json) => json.replace(',', ', '),
  'a trailing newline': (json) => `${json}\n`,
  'number as text': (_, proof) => JSON.stringify({ ...proof, number: String(proof.number) }),
  'number in a list': (_, proof) => JSON.stringify({ ...proof, number: [proof.number] }),
  'number as n.0': (json, { number }) => json.replace(`:${number},`, `:${number}.0,`),
  'number as ne0': (json, { number }) => json.replace(`:${number},`, `:${number}e0,`),
  'number with a leading zero': (json, { number }) => json.replace(`:${number},`, `:0${number},`),
  'salt without its &': (_, proof) => JSON.stringify({ ...proof, salt: proof.salt.slice(0, -1) }),
  'salt with one more &': (_, proof) => JSON.stringify({ ...proof, salt: `${proof.salt}&` }),
  'challenge in capitals': (_, proof) =>
    JSON.stringify({ ...proof, challenge: proof.challenge.toUpperCase() }),
  'signature in capitals': (_, proof) =>
    JSON.stringify({ ...proof, signature: proof.signature.toUpperCase() }),
  'algorithm in small letters': (_, proof) => JSON.stringify({ ...proof, algorithm: 'sha-256' }),
  'no algorithm': (_, { algorithm: _algorithm, ...rest }) => JSON.stringify(rest),
  'an escaped letter': (json) => json.replace('SHA', String.raw`\u0053HA`),
  'a list of one': (json) => `[${json}]`,
};

const BASE64_SPELLINGS: Readonly<Record<string, (encoded: string) => string>> = {
  'no padding': (encoded) => encoded.replace(/=+$/, ''),
  'more padding': (encoded) => `${encoded}=`,
  'a newline in base64': (encoded) => `${encoded.slice(0, 76)}\n${encoded.slice(76)}`,
  'a space before base64': (encoded) => ` ${encoded}`,
  'a stray character in base64': (encoded) => `${encoded.slice(0, 8)}*${encoded.slice(8)}`,
  'more after base64': (encoded) => `${encoded}AAAA`,
};

/** All spellings but the widget's own; those that happen to equal it are left out. */
export const respellProof = (proof: WidgetProof): ReadonlyMap<string, string> => {
  const json = JSON.stringify(proof);
  const encoded = btoa(json);
  const all = [
    ...Object.entries(JSON_SPELLINGS).map(([name, respell]) => [name, btoa(respell(json, proof))] as const),
    ...Object.entries(BASE64_SPELLINGS).map(([name, respell]) => [name, respell(encoded)] as const),
  ];
  return new Map(all.filter(([, text]) => text !== encoded));
};

/** `took` is the visitor's to choose: two texts that differ in nothing else are the same proof. */
export const isSameProof = (one: string, other: string): boolean =>
  canonical(one) !== null && canonical(one) === canonical(other);

const canonical = (proof: string): string | null => {
  const bytes = Buffer.from(proof, 'base64');
  if (bytes.toString('base64') !== proof) return null;
  const json = bytes.toString('latin1');
  const took = /,"took":([\d.e+-]{1,24})\}$/.exec(json);
  return took !== null && String(Number(took[1])) === took[1] ? `${json.slice(0, took.index)}}` : json;
};
