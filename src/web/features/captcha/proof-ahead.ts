import type { AskedChallenge } from './ask-challenge.ts';

/** A proof that is worked at before anybody asks for it. */
export type ProofAhead = {
  /** Starts one, unless there is one. */
  readonly start: () => void;
  /** Gives away what there is, finished or not. */
  readonly take: () => AskedChallenge | undefined;
  readonly drop: () => void;
};

type ProofAheadDeps = {
  readonly ask: () => AskedChallenge;
  /** Wall-clock time, by which proofs expire. */
  readonly nowMs: () => number;
};

/** The proof must still be valid when it reaches the server. */
const MARGIN_MS = 10_000;

/**
 * A challenge is not bound to an id, so one proof at a time is enough, whatever the visitor changes in the field. A
 * challenge that cannot be had or solved is nobody's problem yet: the captcha asks again and says what is wrong.
 */
export const createProofAhead = ({ ask, nowMs }: ProofAheadDeps): ProofAhead => {
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
    start: () => {
      dropIfExpired();
      if (current) return;
      expiresMs = Infinity;
      current = ask();
      void watch(current);
    },
    take: () => {
      dropIfExpired();
      const taken = current;
      current = undefined;
      return taken;
    },
  };
};
