const DOUBTS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

export type SuspectVerdict = 'alive' | 'dead' | 'unclear';

/**
 * When the next suspect may be asked about itself: one at a time, at once as long as they are few. Many doubts in
 * quick succession mean that all tokens were probably revoked together. Asking about each would look like an attack,
 * so from then on the questions are further and further apart while the suspects prove dead. A plain record, because
 * several machines may share it.
 */
export type Suspicion = { doubtsMs: number[]; isMass: boolean; nextMs: number; pauseMs: number };

export const createSuspicion = (): Suspicion => ({
  doubtsMs: [],
  isMass: false,
  nextMs: -Infinity,
  pauseMs: FIRST_PAUSE_MS,
});

/** A token in good standing was refused. True if that makes all others suspects. */
export const addDoubt = (suspicion: Suspicion, nowMs: number): boolean => {
  suspicion.doubtsMs = [...suspicion.doubtsMs, nowMs].filter((doubtMs) => nowMs - doubtMs < WITHIN_MS);
  if (suspicion.doubtsMs.length < DOUBTS) return false;
  suspicion.doubtsMs = [];
  suspicion.isMass = true;
  suspicion.nextMs = Math.max(suspicion.nextMs, nowMs + FIRST_PAUSE_MS);
  return true;
};

/** One suspect was asked about. */
export const addVerdict = (suspicion: Suspicion, verdict: SuspectVerdict, nowMs: number): void => {
  const { isMass, pauseMs } = suspicion;
  const isPaced = verdict === 'unclear' || (verdict === 'dead' && isMass);
  suspicion.nextMs = isPaced ? nowMs + pauseMs : nowMs;
  suspicion.pauseMs = isPaced ? Math.min(pauseMs * 2, MAX_PAUSE_MS) : FIRST_PAUSE_MS;
};

/** Nobody is under suspicion any more. */
export const endSuspicion = (suspicion: Suspicion): void => {
  suspicion.isMass = false;
  suspicion.pauseMs = FIRST_PAUSE_MS;
};
