/** Counts by label; read when the metrics are asked for, so that counting costs one addition. */
export type Tally<Label extends string = string> = Map<Label, number>;

/** Labels that are known beforehand start at nought: a rise from nothing would go unseen by an alert. */
export const createTally = <Label extends string>(labels: readonly Label[]): Tally<Label> =>
  new Map(labels.map((label) => [label, 0]));

export const count = <Label extends string>(tally: Tally<Label>, label: Label): void => {
  tally.set(label, (tally.get(label) ?? 0) + 1);
};
