/** The highest step, times the default 1,000,000, still solves in under 5 s on a weak phone. */
export const HIGHEST_DIFFICULTY_FACTOR = 4;

/** `pressure` is the share (0..1) of its burst that a prefix has in use; other prefixes feel nothing of it. */
export const difficultyFactor = (pressure: number): number => {
  if (pressure < 0.5) return 1;
  return pressure < 0.8 ? 2 : HIGHEST_DIFFICULTY_FACTOR;
};
