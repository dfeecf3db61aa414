import { parseJson } from '#shared/json.ts';
import { fieldsOf, type Fields } from '../../ask-server.ts';
import type { Puzzle, Solution } from './search/range-search.ts';

/** The widget's own, for a challenge that names none. */
const DEFAULT_MAX_NUMBER = 1_000_000;
const ALGORITHMS = new Set(['SHA-256', 'SHA-384', 'SHA-512']);
const SHORTEST = { challenge: 40, salt: 10 };
const CONFIGURATION = 'x-altcha-config';

type SignedChallenge = Readonly<Record<'algorithm' | 'challenge' | 'salt' | 'signature', string>>;

export type Challenge = {
  readonly puzzle: Puzzle;
  readonly expiresMs: number;
  /** Who configures the widget wants it to be used. */
  readonly configured: boolean;
  readonly workers: number | undefined;
  readonly proofOf: (solution: Solution) => string;
};

const positive = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;

/** By the widget's rules, but without a code to be read or heard, of which we could show only half. */
const isChallenge = (body: Fields): body is Fields & SignedChallenge => {
  const { algorithm, challenge, salt, signature, codeChallenge } = body;
  return (
    typeof algorithm === 'string' &&
    ALGORITHMS.has(algorithm.toUpperCase()) &&
    typeof challenge === 'string' &&
    challenge.length >= SHORTEST.challenge &&
    typeof salt === 'string' &&
    salt.length >= SHORTEST.salt &&
    typeof signature === 'string' &&
    signature !== '' &&
    codeChallenge === undefined
  );
};

const expiryOf = (salt: string): number => {
  const expires = new URLSearchParams(salt.split('?')[1]).get('expires');
  return expires === null ? Infinity : Number(expires) * 1_000;
};

/** Undefined if it is none. */
export const readChallenge = (text: string, headers: Headers): Challenge | undefined => {
  const body = fieldsOf(parseJson(text));
  if (!isChallenge(body)) return undefined;
  const { algorithm, challenge, salt, signature } = body;
  const config = fieldsOf(parseJson(headers.get(CONFIGURATION) ?? ''));
  const maxNumber = positive(body['maxnumber']) ?? positive(config['maxnumber']) ?? DEFAULT_MAX_NUMBER;
  return {
    puzzle: { algorithm, challenge, salt, maxNumber },
    expiresMs: expiryOf(salt),
    configured: headers.has(CONFIGURATION),
    workers: positive(config['workers']),
    proofOf: ({ number, took }) =>
      btoa(JSON.stringify({ algorithm, challenge, number, salt, signature, took })),
  };
};
