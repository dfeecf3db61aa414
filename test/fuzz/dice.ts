/** Seeded chance: the same seed gives the same attack again. */
export type Dice = {
  /** A whole number from 0 up to, not including, `exclusiveMax`. */
  readonly below: (exclusiveMax: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
  readonly bytes: (length: number) => Buffer;
  /** The results of `roll`, up to `most` of them. */
  readonly several: <T>(most: number, roll: () => T) => T[];
};

/** xorshift32, after a step that spreads neighbouring seeds apart. */
export const createDice = (seed: number): Dice => {
  let state = Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b) || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (exclusiveMax: number): number => Math.floor((next() / 2 ** 32) * exclusiveMax);
  return {
    below,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: <T>(choices: readonly T[]): T => {
      if (choices.length === 0) throw new RangeError('Nothing to pick from.');
      return choices[below(choices.length)] as T;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    several: (most, roll) => Array.from({ length: below(most + 1) }, roll),
  };
};
