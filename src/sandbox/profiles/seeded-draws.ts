import { hash } from 'node:crypto';

export type Draws = ReturnType<typeof drawsFrom>;

export const drawsFrom = (seed: string) => {
  const digest = hash('sha256', `whoflake:${seed}`, 'buffer');
  let [a = 0, b = 0, c = 0, counter = 0] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at));

  // The generator "sfc32" of PractRand: small, fast, and good enough for scenery.
  const unit = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  const integer = (exclusiveMax: number): number => Math.floor(unit() * exclusiveMax);
  return {
    unit,
    integer,
    chance: (share: number): boolean => unit() < share,
    pick: <T>(list: readonly T[]): T => list[integer(list.length)] as T,
  };
};
