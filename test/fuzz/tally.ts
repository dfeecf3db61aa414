export type FuzzResult = {
  readonly count: number;
  readonly broken: number;
  /** The first break, or what else is worth saying. */
  readonly note?: string;
};

export type Tally = {
  readonly check: (holds: boolean, describe: () => string) => void;
  readonly result: () => FuzzResult;
};

export const createTally = (): Tally => {
  let count = 0;
  let broken = 0;
  let note: string | undefined;
  return {
    check: (holds, describe) => {
      count += 1;
      if (holds) return;
      broken += 1;
      note ??= describe().slice(0, 600);
    },
    result: () => (note === undefined ? { count, broken } : { count, broken, note }),
  };
};
