import type { FuzzResult } from '#test/fuzz/tally.ts';

/** One line of the report. To add one, write a module in `suites` and name it in `main`. */
export type Suite = {
  readonly name: string;
  readonly run: (seed: number) => Promise<FuzzResult>;
};
