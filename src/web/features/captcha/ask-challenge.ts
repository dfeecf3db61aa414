import type { Puzzle, Search } from './challenge-search.ts';
import type { Solver } from './solver.ts';

/** The widget's own, for a challenge that names none. */
const DEFAULT_MAX_NUMBER = 1_000_000;

/** The outcome of asking for a challenge. */
export type ChallengeAnswer = {
  /** For the widget, which decides for itself whether it is a challenge. */
  readonly response: Response;
  /** Already under way, if we can solve it ourselves. */
  readonly search: Search | undefined;
  readonly expiresMs: number;
};

export type AskedChallenge = {
  readonly answer: Promise<ChallengeAnswer>;
  /** Ends the request, or the search. */
  readonly end: () => void;
};

type AskDeps = {
  readonly fetch: typeof globalThis.fetch;
  readonly solver: Solver;
};

const readPuzzle = (text: string): Puzzle | undefined => {
  try {
    const { algorithm, challenge, salt, maxnumber } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (algorithm !== 'SHA-256' || typeof challenge !== 'string' || typeof salt !== 'string')
      return undefined;
    return { challenge, salt, maxNumber: typeof maxnumber === 'number' ? maxnumber : DEFAULT_MAX_NUMBER };
  } catch {
    return undefined;
  }
};

/** A response whose JSON has already been read: reading the body again would wait until the next frames are painted. */
const readResponse = (text: string, init: Response): Response =>
  Object.assign(new Response(text, init), { json: async (): Promise<unknown> => JSON.parse(text) });

/** The salt says how long the server accepts the proof. */
const expiryOf = (puzzle: Puzzle | undefined): number => {
  const expires = new URLSearchParams(puzzle?.salt.split('?')[1]).get('expires');
  return expires === null ? Infinity : Number(expires) * 1_000;
};

/** Asks for a challenge and begins to solve it. */
export const askChallenge = ({ fetch, solver }: AskDeps): AskedChallenge => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const ask = async (): Promise<ChallengeAnswer> => {
    solver.prepare();
    const response = await fetch('/challenge', { signal });
    // Read to the end here: an abort half way would fail inside the widget.
    const text = await response.text();
    signal.throwIfAborted();
    const puzzle = response.status === 200 ? readPuzzle(text) : undefined;
    const search = puzzle && solver.search(puzzle);
    signal.addEventListener('abort', () => search?.end());
    return { response: readResponse(text, response), search, expiresMs: expiryOf(puzzle) };
  };
  return { answer: ask(), end: () => leaving.abort() };
};
