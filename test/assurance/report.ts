import type { FuzzResult } from '#test/fuzz/tally.ts';

/** What one line of the report tells of. */
export type Suite = {
  readonly name: string;
  readonly run: (seed: number) => Promise<FuzzResult>;
};

export type ReportLine = FuzzResult & { readonly name: string };

/** A suite that throws has broken, too; the others run all the same. */
export const runSuite = async ({ name, run }: Suite, seed: number): Promise<ReportLine> => {
  try {
    return { name, ...(await run(seed)) };
  } catch (error) {
    return { name, count: 0, broken: 1, note: String(error) };
  }
};

export const formatReport = (lines: readonly ReportLine[], seed: number): string => {
  const head = ['what', 'tried', 'broken', 'note'];
  const rows = lines.map(({ name, count, broken, note = '' }) => [
    name,
    count.toLocaleString('en'),
    broken.toLocaleString('en'),
    note.replaceAll(/\s+/g, ' '),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const format = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [format(head), ...rows.map(format), '', `seed ${seed}`].join('\n');
};
