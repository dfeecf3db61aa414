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
