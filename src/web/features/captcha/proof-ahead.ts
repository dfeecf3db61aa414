import type { Browser } from '../../browser.ts';
import { askChallenge, type AskedChallenge } from './ask-challenge.ts';
import { pageSolver } from './solver.ts';

export type ProofAhead = {
  readonly prepare: () => void;
  readonly start: () => AskedChallenge;
  /** Hands over the current one, finished or not; or nothing, if another is wanted. */
  readonly take: (wanted?: AskedChallenge) => AskedChallenge | undefined;
  readonly drop: () => void;
};

type ProofAheadDeps = {
  readonly ask: () => AskedChallenge;
  readonly prepare: () => void;
  /** Wall-clock time, by which proofs expire. */
  readonly nowMs: () => number;
};

const MARGIN_MS = 10_000;

/** Challenges are not bound to an id: one is enough. One that fails is no problem yet: the captcha asks again. */
export const createProofAhead = ({ ask, prepare, nowMs }: ProofAheadDeps): ProofAhead => {
  let current: AskedChallenge | undefined;
  let expiresMs = Infinity;

  const drop = (): void => {
    current?.end();
    current = undefined;
  };
  const dropIfExpired = (): void => {
    if (nowMs() > expiresMs - MARGIN_MS) drop();
  };
  const watch = async (asked: AskedChallenge): Promise<void> => {
    try {
      const { search, expiresMs: expiry } = await asked.answer;
      if (current === asked) expiresMs = expiry;
      if (await search?.found) return;
    } catch {
      // As if it had no solution.
    }
    if (current === asked) current = undefined;
  };

  return {
    drop,
    prepare: () => {
      dropIfExpired();
      if (!current) prepare();
    },
    start: () => {
      dropIfExpired();
      if (current) return current;
      expiresMs = Infinity;
      current = ask();
      void watch(current);
      return current;
    },
    take: (wanted = current) => {
      dropIfExpired();
      if (current !== wanted) return undefined;
      const taken = current;
      current = undefined;
      return taken;
    },
  };
};

let ahead: ProofAhead | undefined;

export const pageProofAhead = ({ fetch }: Pick<Browser, 'fetch'>): ProofAhead =>
  (ahead ??= createProofAhead({
    ask: () => askChallenge({ fetch, solver: pageSolver() }),
    prepare: () => pageSolver().prepare(),
    nowMs: () => Date.now(),
  }));
