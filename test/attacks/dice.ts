export type Dice = ReturnType<typeof createDice>;

/** Seeded chance, xorshift32 after a step that spreads neighbouring seeds apart: the same seed, the same attack. */
export const createDice = (seed: number) => {
  let state = Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b) || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  /** A whole number from 0 up to, not including, `exclusiveMax`. */
  const below = (exclusiveMax: number): number => Math.floor((next() / 2 ** 32) * exclusiveMax);
  return {
    below,
    chance: (probability: number): boolean => next() / 2 ** 32 < probability,
    pick: <T>(choices: readonly T[]): T => {
      if (choices.length === 0) throw new RangeError('Nothing to pick from.');
      return choices[below(choices.length)] as T;
    },
    bytes: (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256))),
    /** The results of `roll`, up to `most` of them. */
    several: <T>(most: number, roll: () => T): T[] => Array.from({ length: below(most + 1) }, roll),
  };
};
