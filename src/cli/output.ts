import type { CommandResult } from './command.ts';

/** Columns that line up, for a terminal with letters of one width. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] => {
  const all = [head, ...rows.map((row) => row.map((cell) => visible(String(cell ?? '-'))))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Names and notes come from strangers: what would steer the terminal or turn the text around is shown as a mark. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const renderResult = ({ data, lines }: CommandResult, json: boolean): string =>
  json
    ? `${JSON.stringify(data, null, 2)}\n`
    : lines.map((line) => (line === false ? '' : `${line}\n`)).join('');
