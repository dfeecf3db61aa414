import type { ReportLine } from './suite.ts';

export const formatReport = (lines: readonly ReportLine[]): string => {
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
  return [head, ...rows].map(format).join('\n');
};
