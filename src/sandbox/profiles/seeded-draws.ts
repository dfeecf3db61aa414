import { hash } from 'node:crypto';

export type Draws = {
  readonly unit: () => number;
  readonly integer: (exclusiveMax: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly hex32: () => string;
};

export const drawsFrom = (seed: string): Draws => {
  const digest = hash('sha256', `whoflake:${seed}`, 'buffer');
  let [a = 0, b = 0, c = 0, counter = 0] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at));

  // The generator "sfc32" of PractRand: small, fast, and good enough for scenery.
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  const unit = (): number => next() / 2 ** 32;
  const integer = (exclusiveMax: number): number => Math.floor(unit() * exclusiveMax);
  return {
    unit,
    integer,
    chance: (share) => unit() < share,
    pick: <T>(list: readonly T[]): T => list[integer(list.length)] as T,
    hex32: () => [next(), next(), next(), next()].map((word) => word.toString(16).padStart(8, '0')).join(''),
  };
};
