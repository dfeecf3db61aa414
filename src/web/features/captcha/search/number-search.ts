import { createRuns, type Run } from './number-run.ts';
import { searchOneByOne } from './scalar-search.ts';

export type NumberSearch = (from: number, to: number) => number | undefined;

/** How many hundreds of the run, `most` at most, can be skipped: the number with that digest is not in them. */
export type SkipHundreds = (run: Run, most: number, target: Int32Array) => number;

const HUNDRED = 100;
const ONE_BY_ONE = 4_000;

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
