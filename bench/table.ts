import type { Figure, Report } from './benchmark.ts';

const COLUMNS = ['figure', 'median', 'rounds from–to', 'rounds', 'aim', 'met'] as const;

const cells = ({ what, value, spread, rounds, aim, met }: Figure): string[] => [
  what,
  value,
  spread,
  String(rounds),
  aim,
  met === null ? '' : met ? 'yes' : 'NO',
];

export const renderReport = ({ title, method, figures }: Report): string => {
  const rows = [[...COLUMNS], ...figures.map(cells)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  const [head = [], ...body] = rows;
  const table = [line(head), rule, ...body.map(line)];
  return [
    '',
    title,
    ...method.map((sentence) => `  ${sentence}`),
    '',
    ...table.map((row) => `  ${row}`),
    '',
  ].join('\n');
};
