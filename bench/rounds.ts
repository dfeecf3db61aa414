/** What the rounds of one contender gave, in the order they ran. */
export type Samples = readonly number[];

export type Contender = { readonly name: string; readonly round: () => number | Promise<number> };

export const median = (samples: Samples): number => {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

/**
 * Runs the contenders in turn, every other time in reverse order, so that a machine that slows down or warms up
 * treats them alike.
 */
export const interleave = async (
  contenders: readonly Contender[],
  rounds: number,
): Promise<Map<string, Samples>> => {
  const samples = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { name, round } of turn % 2 === 0 ? contenders : contenders.toReversed()) {
      samples.get(name)?.push(await round());
    }
  }
  return samples;
};

/** A round of each that is not counted, so that their code is compiled. */
export const warmUp = async (contenders: readonly Contender[]): Promise<void> => {
  for (const { round } of contenders) await round();
};

export const samplesOf = (samples: ReadonlyMap<string, Samples>, name: string): Samples => {
  const found = samples.get(name);
  if (found === undefined) throw new TypeError(`There is no contender ${name}.`);
  return found;
};

/** The ratio of the medians, and the ratio of each round to the other contender's round next to it. */
export const compare = (dividend: Samples, divisor: Samples): { ratio: number; pairs: Samples } => ({
  ratio: median(dividend) / median(divisor),
  pairs: dividend.map((sample, turn) => sample / (divisor[turn] ?? Number.NaN)),
});

export const spread = (samples: Samples, digits: number): string =>
  `${Math.min(...samples).toFixed(digits)}–${Math.max(...samples).toFixed(digits)}`;
