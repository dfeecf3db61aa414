export type FuzzResult = {
  readonly count: number;
  readonly broken: number;
  /** The first break, or what else is worth saying. */
  readonly note?: string;
};

export type Tally = ReturnType<typeof createTally>;

/** Counts what was tried and what broke, and keeps the first break for the report. */
export const createTally = () => {
  let count = 0;
  let broken = 0;
  let note: string | undefined;
  return {
    check: (holds: boolean, describe: () => string): void => {
      count += 1;
      if (holds) return;
      broken += 1;
      note ??= describe().slice(0, 600);
    },
    result: (): FuzzResult => (note === undefined ? { count, broken } : { count, broken, note }),
  };
};
