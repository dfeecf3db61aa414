/**
 * Tokens that die in quick succession were probably all revoked at once. Trying each of them would look like an
 * attack, so from then on the untried are suspects: one is tried at a time, further apart while they prove dead.
 */
export type Suspicion = {
  /** A token in good standing died. True if that makes all others suspects. */
  readonly died: (nowMs: number) => boolean;
  /** When the next suspect may be tried; Infinity while one is being tried. */
  readonly trialAtMs: () => number;
  readonly trialSent: () => void;
  readonly trialEnded: (verdict: 'alive' | 'dead' | 'unclear', nowMs: number) => void;
};

const DEATHS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

export const createSuspicion = (): Suspicion => {
  let deathsMs: number[] = [];
  let trialUnderWay = false;
  let trialAtMs = -Infinity;
  let pauseMs = FIRST_PAUSE_MS;

  return {
    died: (nowMs) => {
      deathsMs = [...deathsMs, nowMs].filter((deathMs) => nowMs - deathMs < WITHIN_MS);
      if (deathsMs.length < DEATHS) return false;
      deathsMs = [];
      trialAtMs = nowMs + FIRST_PAUSE_MS;
      return true;
    },
    trialAtMs: () => (trialUnderWay ? Infinity : trialAtMs),
    trialSent: () => {
      trialUnderWay = true;
    },
    trialEnded: (verdict, nowMs) => {
      trialUnderWay = false;
      trialAtMs = verdict === 'alive' ? nowMs : nowMs + pauseMs;
      if (verdict === 'alive') pauseMs = FIRST_PAUSE_MS;
      if (verdict === 'dead') pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    },
  };
};
