import { median } from '#test/suites/load/figures.ts';
import type { Figure, Samples } from './benchmark.ts';

/**
 * Runs the contenders in turn, every other time in reverse order, so that a machine that slows down or warms up
 * treats them alike. The first round of each is not counted: it compiles their code.
 */
export const interleave = async <Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await contenders[name]();
  for (let turn = 0; turn < rounds; turn += 1)
    for (const name of turn % 2 === 0 ? names : names.toReversed())
      samples[name].push(await contenders[name]());
  return samples;
};

/** The ratio of the medians; its rounds are the ratios of rounds next to each other. */
export const ratio = (dividend: Samples, divisor: Samples): Pick<Figure, 'samples' | 'value' | 'digits'> => ({
  value: median(dividend) / median(divisor),
  samples: dividend.map((sample, turn) => sample / (divisor[turn] ?? Number.NaN)),
  digits: 2,
});

/** Microseconds of CPU time that one piece of work took this process, all its threads included. */
export const cpuMicrosEach = async (times: number, work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
};
