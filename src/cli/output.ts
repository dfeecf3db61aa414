import type { CommandResult } from './command.ts';

type Cell = string | number | boolean | null;

/** Columns that line up, for a terminal with letters of one width. A row has its cells in the order of the head. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Cell[] | Readonly<Record<string, Cell>>)[],
): string[] => {
  const all = [head, ...rows.map((row) => Object.values(row).map(show))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const show = (cell: Cell): string =>
  typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : visible(String(cell ?? '-'));

/** Names and notes come from strangers: what would steer the terminal or turn the text around is shown as a mark. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const renderResult = ({ data, lines }: CommandResult, json: boolean): string =>
  json
    ? `${JSON.stringify(data, null, 2)}\n`
    : lines.map((line) => (line === false ? '' : `${line}\n`)).join('');
