/** Of a command, and of each thing that it looked at. Only `failed` ends a command with another code than 0. */
export type State = 'ok' | 'warning' | 'failed';

export const worstOf = (states: readonly State[]): State =>
  states.includes('failed') ? 'failed' : states.includes('warning') ? 'warning' : 'ok';

type Cell = string | number | boolean | null;

/** A line to read: a heading, or one that begins with a state, has a colour where a terminal shows it. */
export type Line = string | { readonly kind: 'heading' | 'state'; readonly text: string };

/** What a command has to say: the document of `--json`, and the same as lines to read. */
export type Report = {
  readonly data: object;
  /** False stands for a line that there is no reason for. */
  readonly lines: readonly (Line | false)[];
  /** Not `ok` if something is not as it should be, although the command did all of its work. */
  readonly state?: State;
};

/** Puts a text into a style, or leaves it as it is where nobody would see it. */
export type Paint = (style: 'bold' | 'green' | 'yellow' | 'red', text: string) => string;

const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red' } as const satisfies Record<State, string>;

/** Columns that line up, for a terminal with letters of one width. A row has its cells in the order of the head. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly Cell[] | Readonly<Record<string, Cell>>)[],
): Line[] => {
  const all = [head, ...rows.map((row) => Object.values(row).map(show))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const texts = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return texts.map((text, index) =>
    index === 0 ? { kind: 'heading', text } : head[0] === 'STATE' ? { kind: 'state', text } : text,
  );
};

const show = (cell: Cell): string =>
  typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : visible(String(cell ?? '-'));

/** Names and notes come from strangers: what would steer the terminal or turn the text around is shown as a mark. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const renderResult = (
  { data, lines, state = 'ok' }: Report,
  { json, paint }: { readonly json: boolean; readonly paint: Paint },
): string =>
  json
    ? `${JSON.stringify({ state, ...data }, null, 2)}\n`
    : lines.map((line) => (line === false ? '' : `${painted(line, paint)}\n`)).join('');

const painted = (line: Line, paint: Paint): string => {
  if (typeof line === 'string') return line;
  if (line.kind === 'heading') return paint('bold', line.text);
  return line.text.replace(/^(?:ok|warning|failed)\b/, (state) => paint(COLOURS[state as State], state));
};
