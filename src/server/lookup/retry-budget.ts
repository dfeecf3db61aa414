const SHARE = 0.1;
const MAX_SAVED = 10;
const FREE_EVERY_MS = 1_000;

/** Allows one retry for every ten lookups, and otherwise one a second: a failing platform must not get much more traffic. */
export const createRetryBudget = () => {
  let saved = 0;
  let freeAtMs = -Infinity;
  return {
    deposit: (): void => {
      saved = Math.min(MAX_SAVED, saved + SHARE);
    },
    withdraw: (nowMs: number): boolean => {
      if (saved >= 1) {
        saved -= 1;
        return true;
      }
      if (nowMs < freeAtMs) return false;
      freeAtMs = nowMs + FREE_EVERY_MS;
      return true;
    },
  };
};
