import { parseJson } from '#shared/json.ts';
import { fieldsOf, type Fields } from '../../ask-server.ts';
import type { Puzzle, Search, Solution } from './challenge-search.ts';
import type { Solver } from './solver.ts';

/** The widget's own, for a challenge that names none. */
const DEFAULT_MAX_NUMBER = 1_000_000;
const ALGORITHMS = new Set(['SHA-256', 'SHA-384', 'SHA-512']);
const SHORTEST = { challenge: 40, salt: 10 };
const CONFIGURATION = 'x-altcha-config';

export type ChallengeAnswer = {
  readonly response: Response;
  readonly valid: boolean;
  /** Already under way; undefined if only the widget can solve it. */
  readonly search: Search | undefined;
  readonly prove: () => Promise<string | undefined>;
  readonly expiresMs: number;
};

export type AskedChallenge = {
  readonly answer: Promise<ChallengeAnswer>;
  readonly end: () => void;
};

type AskDeps = {
  readonly fetch: typeof globalThis.fetch;
  readonly solver: Solver;
};

type SignedChallenge = Readonly<Record<'algorithm' | 'challenge' | 'salt' | 'signature', string>>;

type Challenge = { readonly signed: SignedChallenge; readonly puzzle: Puzzle };

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
    codeChallenge === undefined
  );
};

const readChallenge = (text: string, headers: Headers): Challenge | undefined => {
  const body = fieldsOf(parseJson(text));
  if (!isChallenge(body)) return undefined;
  const { algorithm, challenge, salt, signature } = body;
  const config = fieldsOf(parseJson(headers.get(CONFIGURATION) ?? ''));
  const workers = positive(config['workers']);
  return {
    signed: { algorithm, challenge, salt, signature },
    puzzle: {
      challenge,
      salt,
      maxNumber: positive(body['maxnumber']) ?? positive(config['maxnumber']) ?? DEFAULT_MAX_NUMBER,
      ...(workers !== undefined && { workers }),
    },
  };
};

/** A response whose JSON has already been read: reading the body again would wait until the next frames are painted. */
const readResponse = (text: string, init: Response): Response =>
  Object.assign(new Response(text, init), { json: async (): Promise<unknown> => JSON.parse(text) });

const expiryOf = (salt: string): number => {
  const expires = new URLSearchParams(salt.split('?')[1]).get('expires');
  return expires === null ? Infinity : Number(expires) * 1_000;
};

const encodeProof = (
  { algorithm, challenge, salt, signature }: SignedChallenge,
  { number, took }: Solution,
): string => btoa(JSON.stringify({ algorithm, challenge, number, salt, signature, took }));

export const askChallenge = ({ fetch, solver }: AskDeps): AskedChallenge => {
  const leaving = new AbortController();
  const { signal } = leaving;

  const startSearch = ({ signed, puzzle }: Challenge): Search | undefined => {
    if (signed.algorithm.toUpperCase() === 'SHA-256') return solver.search(puzzle);
    solver.dismiss();
    return undefined;
  };
  const ask = async (): Promise<ChallengeAnswer> => {
    solver.prepare();
    const response = await fetch('/challenge', { signal });
    // Read to the end here: an abort half way would fail inside the widget.
    const text = await response.text();
    signal.throwIfAborted();
    const challenge = response.status === 200 ? readChallenge(text, response.headers) : undefined;
    const search = challenge && startSearch(challenge);
    signal.addEventListener('abort', () => search?.end());
    return {
      response: readResponse(text, response),
      valid: challenge !== undefined,
      search,
      prove: async () => {
        // Who configures the widget wants it to be used.
        if (!challenge || !search || response.headers.has(CONFIGURATION)) return undefined;
        search.hurry();
        const solution = await search.found;
        return solution ? encodeProof(challenge.signed, solution) : undefined;
      },
      expiresMs: challenge ? expiryOf(challenge.signed.salt) : Infinity,
    };
  };
  return { answer: ask(), end: () => leaving.abort() };
};
