import type { Browser } from '../../browser.ts';
import { readChallenge } from './challenge.ts';
import { searchRange, type RangeSearch, type SearchDeps, type Solution } from './search/range-search.ts';

const MOST_WORKERS = 16;
const UNKNOWN_CORES = 8;
/** A proof must still be valid when it arrives. */
const MARGIN_MS = 10_000;

type ProofDeps = SearchDeps & {
  readonly fetch: typeof globalThis.fetch;
  readonly cores: () => number;
  /** Wall-clock time, by which challenges expire. */
  readonly clockMs: () => number;
};

/** A challenge and its proof, from the request on. */
export type Attempt = {
  /** For the widget to read. What is no challenge has the status 422. */
  readonly response: Promise<Response>;
  /** Null if there is no solution, or it was ended. */
  readonly found: Promise<Solution | null>;
  /** Undefined if there is none, or if the widget is to make it. */
  readonly proof: Promise<string | undefined>;
  readonly isGood: () => boolean;
  readonly share: () => number;
  /** The visitor is waiting now: uses all the workers it may have. */
  readonly hurry: () => void;
  readonly end: () => void;
};

export type Proofs = {
  /** Ahead of a press. Challenges are not bound to an ID: one is enough. */
  readonly begin: () => void;
  /** What was begun, finished or not, if it is still good. */
  readonly take: () => Attempt;
  /** How much of the last search is done. */
  readonly share: () => number;
  readonly drop: () => void;
};

const startAttempt = ({ fetch, cores, clockMs, ...searchDeps }: ProofDeps): Attempt => {
  const leaving = new AbortController();
  const { signal } = leaving;
  let search: RangeSearch | undefined;
  let most = 1;
  let hurried = false;
  let failed = false;
  let expiresMs = Infinity;

  // Not all of them in the background, so that the page stays responsive.
  const useWorkers = (): void => search?.useWorkers(hurried ? most : Math.ceil(most / 2));
  const ask = async () => {
    const response = await fetch('/challenge', { signal });
    // Read to the end here: an abort half way would fail inside the widget.
    const text = await response.text();
    signal.throwIfAborted();
    if (response.status !== 200) return { response: new Response(text, response) };
    const challenge = readChallenge(text, response.headers);
    if (challenge === undefined) return { response: new Response(null, { status: 422 }) };
    ({ expiresMs } = challenge);
    most = Math.min(challenge.workers ?? (cores() || UNKNOWN_CORES), MOST_WORKERS);
    search = searchRange(challenge.puzzle, searchDeps);
    useWorkers();
    return { response: new Response(text, response), challenge };
  };
  const asked = ask();
  const solve = async (): Promise<Solution | null> => {
    await asked.catch(() => undefined);
    const solution = (await search?.found) ?? null;
    failed = solution === null;
    return solution;
  };
  const found = solve();
  const prove = async (): Promise<string | undefined> => {
    const solution = await found;
    const { challenge } = solution ? await asked : {};
    return solution && challenge?.configured === false ? challenge.proofOf(solution) : undefined;
  };
  const response = asked.then((answer) => answer.response);
  // Who makes the proof without the widget does not ask for it.
  response.catch(() => undefined);

  return {
    response,
    found,
    proof: prove(),
    isGood: () => !failed && clockMs() < expiresMs - MARGIN_MS,
    share: () => search?.share() ?? 0,
    hurry: () => {
      hurried = true;
      useWorkers();
    },
    end: () => {
      leaving.abort();
      search?.end();
    },
  };
};

export const createProofs = (deps: ProofDeps): Proofs => {
  let ahead: Attempt | undefined;
  let last: Attempt | undefined;

  const drop = (): void => {
    ahead?.end();
    ahead = undefined;
  };
  const begin = (): Attempt => {
    if (ahead?.isGood() === false) drop();
    ahead ??= startAttempt(deps);
    last = ahead;
    return ahead;
  };
  return {
    begin,
    take: () => {
      const taken = begin();
      ahead = undefined;
      taken.hurry();
      return taken;
    },
    share: () => last?.share() ?? 0,
    drop,
  };
};

export const proofsIn = ({ fetch }: Pick<Browser, 'fetch'>): Proofs =>
  createProofs({
    fetch,
    startWorker: () => new Worker(new URL('./search/sha256-worker.ts', import.meta.url), { type: 'module' }),
    cores: () => navigator.hardwareConcurrency,
    nowMs: () => performance.now(),
    clockMs: () => Date.now(),
  });
