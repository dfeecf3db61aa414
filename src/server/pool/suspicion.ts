const DEATHS = 20;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;

/**
 * Tokens that die in quick succession were probably all revoked at once. Trying each of them would look like an
 * attack, so from then on the untried are suspects: one is tried at a time, further apart while they prove dead.
 */
export const createSuspicion = () => {
  let deathsMs: number[] = [];
  let trialUnderWay = false;
  let trialAtMs = -Infinity;
  let pauseMs = FIRST_PAUSE_MS;

  return {
    /** A token in good standing died. True if that makes all others suspects. */
    died: (nowMs: number): boolean => {
      deathsMs = [...deathsMs, nowMs].filter((deathMs) => nowMs - deathMs < WITHIN_MS);
      if (deathsMs.length < DEATHS) return false;
      deathsMs = [];
      trialAtMs = nowMs + FIRST_PAUSE_MS;
      return true;
    },
    /** When the next suspect may be tried; Infinity while one is being tried. */
    trialAtMs: () => (trialUnderWay ? Infinity : trialAtMs),
    trialSent: (): void => {
      trialUnderWay = true;
    },
    trialEnded: (verdict: 'alive' | 'dead' | 'unclear', nowMs: number): void => {
      trialUnderWay = false;
      trialAtMs = verdict === 'alive' ? nowMs : nowMs + pauseMs;
      if (verdict === 'alive') pauseMs = FIRST_PAUSE_MS;
      if (verdict === 'dead') pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    },
  };
};
