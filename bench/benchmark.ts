import { median } from '#test/suites/load/figures.ts';

export type Samples = readonly number[];

/** One line of a benchmark's table. */
export type Figure = {
  readonly what: string;
  /** What the single rounds gave. */
  readonly samples: Samples;
  /** If it is not the median of the rounds. */
  readonly value?: number;
  readonly unit?: string;
  readonly digits?: number;
  /** Without one the line is only there to compare with. */
  readonly aim?: Aim;
};

export type Aim = { readonly sign: '≤' | '≥'; readonly bound: number };
export const atMost = (bound: number): Aim => ({ sign: '≤', bound });
export const atLeast = (bound: number): Aim => ({ sign: '≥', bound });

export type Report = {
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
  readonly title: string;
  readonly run: (settings: BenchSettings) => Promise<Report>;
};

const COLUMNS = ['figure', 'median', 'rounds from–to', 'rounds', 'aim', 'met'];

const isMet = ({ sign, bound }: Aim, value: number): boolean =>
  sign === '≤' ? value <= bound : value >= bound;

const cellsOf = (figure: Figure): string[] => {
  const { what, samples, unit = '', digits = 0, aim } = figure;
  const value = figure.value ?? median(samples);
  const write = (number: number): string =>
    number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const span = `${write(Math.min(...samples))}–${write(Math.max(...samples))}`;
  return [
    what,
    `${write(value)} ${unit}`,
    samples.length > 1 ? span : '',
    String(samples.length),
    ...(aim === undefined
      ? []
      : [`${aim.sign} ${write(aim.bound)} ${unit}`, isMet(aim, value) ? 'yes' : 'NO']),
  ];
};

export const renderReport = (title: string, { method, figures }: Report): string => {
  const rows = figures.map(cellsOf);
  const widths = COLUMNS.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const rule = widths.map((width) => '─'.repeat(width));
  const table = [COLUMNS, rule, ...rows].map(line);
  return ['', title, ...method.map((sentence) => `  ${sentence}`), '', ...table, ''].join('\n');
};

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
