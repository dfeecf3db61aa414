/** One line of a benchmark's table. */
export type Figure = {
  readonly what: string;
  readonly value: string;
  /** The least and the most that single rounds gave. */
  readonly spread: string;
  readonly rounds: number;
  readonly aim: string;
  /** Null where the line is only there to compare with. */
  readonly met: boolean | null;
};

export type Report = {
  readonly title: string;
  /** How it was measured, one sentence a line. */
  readonly method: readonly string[];
  readonly figures: readonly Figure[];
};

export type BenchSettings = {
  /** Fewer and shorter rounds: to see that it works, not to quote. */
  readonly quick: boolean;
};

export type Benchmark = {
  readonly name: string;
  readonly run: (settings: BenchSettings) => Promise<Report>;
};
