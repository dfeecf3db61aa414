import { HOUR_MS } from '#server/system.ts';

/** Only `failed` gives an exit code other than 0. */
export type State = 'ok' | 'warning' | 'failed';

export const worstOf = (states: readonly State[]): State =>
  states.includes('failed') ? 'failed' : states.includes('warning') ? 'warning' : 'ok';

type Cell = string | number | boolean | null;

/** `data` is the document of `--json`, of commands that have it; `lines` are the same to read. */
export type Report = {
  readonly data?: object;
  readonly lines: readonly (string | false)[];
  /** Not `ok` if the command did its work, but found a problem. */
  readonly state?: State;
};

/** A row has its cells in the order of the head. */
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

/** What controls the terminal, or the direction of text. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Names and notes come from strangers: characters that steer are replaced. */
export const visible = (text: string): string => text.replaceAll(STEERING, '\uFFFD');

/** For everything that is printed: also answers of a server that may be another program. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** In JSON they can be told apart, and stay what they are. */
const visibleJson = (text: string): string =>
  text.replaceAll(STEERING, (steering) => {
    if (steering === '\n') return steering;
    const units = steering.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });

export const inMb = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const describeDuration = (ms: number): string => {
  const hours = Math.floor(ms / HOUR_MS);
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
};

export const renderResult = ({ data, lines, state = 'ok' }: Report, json: boolean): string =>
  json
    ? `${visibleJson(JSON.stringify({ state, ...data }, null, 2))}\n`
    : lines.map((line) => (line === false ? '' : `${visibleLines(line)}\n`)).join('');
