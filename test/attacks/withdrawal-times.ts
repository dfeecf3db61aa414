import { createTally, type FuzzResult } from './tally.ts';
import { median, sum } from '../suites/load/figures.ts';
import { startWorld } from '../suites/world.ts';

/** Around one half, chance alone stays within this: more than four times its standard deviation at 300 of each kind. */
const TOLERANCE = 0.1;

/** How often one of `a` is above one of `b`: one half if nothing tells them apart. */
const shareAbove = (a: readonly number[], b: readonly number[]): number =>
  sum(a.flatMap((one) => b.map((other) => Number(one > other)))) / (a.length * b.length);

/** Nobody can tell by the clock whether a token was in the pool. */
export const timeWithdrawals = async (each: number): Promise<FuzzResult> => {
  await using world = await startWorld({ tokens: 0 });
  const tokens = await world.sandbox.mintTokens(2 * each, 0);
  const tally = createTally();
  const ask = async (path: string, n: number, expected: number): Promise<number> => {
    const { status, tookMs } = await world.visitors.next().ask(path, { token: tokens[n] });
    tally.check(status === expected, () => `${path} ${n}: ${status}`);
    return tookMs;
  };
  for (let n = 0; n < each; n += 1) await ask('/donate-token', n, 201);
  const times: readonly [there: number[], absent: number[]] = [[], []];
  for (let n = 0; n < each; n += 1) {
    // They take turns at going first, so that drift affects both alike.
    for (const kind of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[kind].push(await ask('/withdraw-token', n + kind * each, 200));
  }
  const [there, absent] = times;
  const share = shareAbove(there, absent);
  const found = `medians ${median(there).toFixed(2)} and ${median(absent).toFixed(2)} ms, the first longer in ${Math.round(share * 100)} %`;
  tally.check(Math.abs(share - 0.5) <= TOLERANCE, () => found);
  return { note: found, ...tally.result() };
};
