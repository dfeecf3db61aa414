import type { Browser } from '../../browser.ts';
import { askChallenge, type AskedChallenge } from './ask-challenge.ts';
import { pageSolver } from './solver.ts';

/** A proof that is solved before anybody asks for it. */
export type ProofAhead = {
  /** Gets ready to start one, unless there is one already. */
  readonly prepare: () => void;
  /** Starts on one, unless there is one already. */
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

/** The proof must still be valid when it reaches the server. */
const MARGIN_MS = 10_000;

/**
 * A challenge is not bound to an id, so one proof at a time is enough, whatever the visitor changes in the field. A
 * challenge that cannot be had or solved is nobody's problem yet: the captcha asks again and says what is wrong.
 */
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

/** The page's one. */
export const pageProofAhead = ({ fetch }: Pick<Browser, 'fetch'>): ProofAhead =>
  (ahead ??= createProofAhead({
    ask: () => askChallenge({ fetch, solver: pageSolver() }),
    prepare: () => pageSolver().prepare(),
    nowMs: () => Date.now(),
  }));
