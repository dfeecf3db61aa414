import { createRuns, increment, type Run } from './number-run.ts';
import { compressBlock, expandBlock, ROUNDS_TO_WORD_H, runRounds } from './sha256-rounds.ts';

type NumberSearch = (from: number, to: number) => number | undefined;

/** How many hundreds of the run, `most` at most, can be skipped: the number with that digest is not in them. */
export type SkipHundreds = (run: Run, most: number, target: Int32Array) => number;

const HUNDRED = 100;
const ONE_BY_ONE = 4_000;

/** The offset in the run of the number with the digest `target`, if it is among the first `count`. */
const searchOneByOne = (run: Run, count: number, target: Int32Array): number | undefined => {
  const { midstate, schedules } = run;
  const block = schedules.at(-1)!;
  const oneBlock = schedules.length === 1;
  const rounds = { from: oneBlock ? run.firstDigit >> 2 : 0, to: ROUNDS_TO_WORD_H };
  const afterSalt = midstate.slice();
  runRounds(afterSalt, block, { from: 0, to: rounds.from });
  const registers = new Int32Array(8);

  for (let i = 0; i < count; i++) {
    if (i > 0) increment(schedules, run.lastDigit);
    const state = oneBlock ? midstate : compressBlock(midstate, schedules[0]!);
    registers.set(oneBlock ? afterSalt : state);
    expandBlock(block);
    runRounds(registers, block, rounds);
    if (((registers[4]! + state[7]!) | 0) === target[7]) {
      const digest = compressBlock(state, block);
      if (digest.every((word, j) => word === target[j])) return i;
    }
  }
  return undefined;
};

/** Searches for the number with sha256(salt + number) = challenge. */
export const createNumberSearch = (
  puzzle: { readonly salt: string; readonly challenge: string },
  skipHundreds: SkipHundreds = () => 0,
): NumberSearch => {
  if (!/^[0-9a-f]{64}$/.test(puzzle.challenge)) return () => undefined;
  const target = Int32Array.from(puzzle.challenge.match(/.{8}/g) ?? [], (word) => Number.parseInt(word, 16));
  const runFrom = createRuns(puzzle.salt);

  return (from, to) => {
    for (let start = from; start < to;) {
      const end = Math.min(to, 10 ** String(start).length);
      const hundred = start - (start % HUNDRED);
      const skipped = skipHundreds(runFrom(hundred), Math.ceil((end - hundred) / HUNDRED), target);
      start = Math.min(end, Math.max(start, hundred + skipped * HUNDRED));
      const count = Math.min(end - start, ONE_BY_ONE);
      const offset = searchOneByOne(runFrom(start), count, target);
      if (offset !== undefined) return start + offset;
      start += count;
    }
    return undefined;
  };
};
