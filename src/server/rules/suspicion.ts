import { FLIGHT_MS } from '#server/deadlines.ts';

const DOUBTS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export type SuspectVerdict = 'alive' | 'dead' | 'unclear';

/**
 * When the next suspect may be checked: one at a time, at once as long as they are few. Many refusals in quick
 * succession mean that all tokens were probably revoked together. Checking each would look like an attack, so from then
 * on the checks are further and further apart while the suspects prove dead. It survives JSON: servers share it.
 */
export type Suspicion = {
  readonly doubtsMs: readonly number[];
  readonly isMass: boolean;
  readonly nextMs: number;
  readonly pauseMs: number;
  /** One is being checked, unless the server that does it has died. */
  readonly checkUntilMs: number;
};

export const NO_SUSPICION: Suspicion = {
  doubtsMs: [],
  isMass: false,
  nextMs: 0,
  pauseMs: FIRST_PAUSE_MS,
  checkUntilMs: 0,
};

/** When the next suspect may be checked; Infinity while one is. */
export const checkAt = ({ nextMs, checkUntilMs }: Suspicion, nowMs: number): number =>
  checkUntilMs > nowMs ? Infinity : nextMs;

export const beginCheck = (suspicion: Suspicion, nowMs: number): Suspicion => ({
  ...suspicion,
  checkUntilMs: nowMs + FLIGHT_MS,
});

/** The check was not made after all. */
export const endCheck = (suspicion: Suspicion): Suspicion => ({ ...suspicion, checkUntilMs: 0 });

/** A token in good standing was refused. `isMass` if that makes all others suspects, too. */
export const addDoubt = (
  suspicion: Suspicion,
  nowMs: number,
): { readonly next: Suspicion; readonly isMass: boolean } => {
  const doubtsMs = [...suspicion.doubtsMs, nowMs].filter((doubtMs) => nowMs - doubtMs < WITHIN_MS);
  if (doubtsMs.length < DOUBTS) return { next: { ...suspicion, doubtsMs }, isMass: false };
  const nextMs = Math.max(suspicion.nextMs, nowMs + FIRST_PAUSE_MS);
  return { next: { ...suspicion, doubtsMs: [], isMass: true, nextMs }, isMass: true };
};

/** One suspect was checked. */
export const addVerdict = (suspicion: Suspicion, verdict: SuspectVerdict, nowMs: number): Suspicion => {
  const { isMass, pauseMs } = suspicion;
  const isPaced = verdict === 'unclear' || (verdict === 'dead' && isMass);
  return {
    ...suspicion,
    nextMs: isPaced ? nowMs + pauseMs : nowMs,
    pauseMs: isPaced ? Math.min(pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS,
    checkUntilMs: 0,
  };
};

/** No token is a suspect any more. */
export const endSuspicion = (suspicion: Suspicion): Suspicion => ({
  ...suspicion,
  isMass: false,
  pauseMs: FIRST_PAUSE_MS,
});
