const DOUBTS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

export type SuspectVerdict = 'alive' | 'dead' | 'unclear';

/**
 * When the next suspect may be asked about itself: one at a time, at once as long as they are few. Many doubts in
 * quick succession mean that all tokens were probably revoked together. Asking about each would look like an attack,
 * so from then on the questions are further and further apart while the suspects prove dead.
 */
export const createSuspicion = () => {
  let doubtsMs: number[] = [];
  let isMass = false;
  let underWay = false;
  let nextMs = -Infinity;
  let pauseMs = FIRST_PAUSE_MS;

  return {
    /** A token in good standing was refused. True if that makes all others suspects. */
    doubted: (nowMs: number): boolean => {
      doubtsMs = [...doubtsMs, nowMs].filter((doubtMs) => nowMs - doubtMs < WITHIN_MS);
      if (doubtsMs.length < DOUBTS) return false;
      doubtsMs = [];
      isMass = true;
      nextMs = Math.max(nextMs, nowMs + FIRST_PAUSE_MS);
      return true;
    },
    /** When the next suspect may be asked; Infinity while one is being asked. */
    nextMs: () => (underWay ? Infinity : nextMs),
    asked: (): void => {
      underWay = true;
    },
    answered: (verdict: SuspectVerdict, nowMs: number): void => {
      underWay = false;
      const isPaced = verdict === 'unclear' || (verdict === 'dead' && isMass);
      nextMs = isPaced ? nowMs + pauseMs : nowMs;
      pauseMs = isPaced ? Math.min(pauseMs * 2, MAX_PAUSE_MS) : FIRST_PAUSE_MS;
    },
    /** Nobody is under suspicion any more. */
    over: (): void => {
      isMass = false;
      pauseMs = FIRST_PAUSE_MS;
    },
  };
};
