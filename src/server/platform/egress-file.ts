import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { replaceFile } from '#server/storage/durable-file.ts';
import type { System } from '#server/system.ts';
import { parseJson } from '#shared/parse-json.ts';
import { COUNTED_MS } from './invalid-requests.ts';
import type { Question } from './questions.ts';

/** What the other processes of this machine, and those after a restart, must know. Times are by wall clock. */
export type EgressNote = { readonly at: number } & (
  | { readonly kind: 'invalid' }
  | { readonly kind: 'banned'; readonly question: Question; readonly until: number }
  /** A command has sent a request: the others wait for one turn more. */
  | { readonly kind: 'sent' }
);

/** The platform bans addresses, not processes: so this is kept outside of them. */
export type EgressJournal = {
  /** What others have noted since it was last read. */
  readonly read: () => readonly EgressNote[];
  readonly write: (note: EgressNote) => void;
};

export type EgressFileOptions = {
  readonly path: string;
  readonly system: System;
  /** Only the server takes old notes out: two processes would lose each other's. */
  readonly isServer: boolean;
};

const LONG_BYTES = 65_536;

/**
 * A line for each note. Several processes may append at once. Written before anything else is sent, because a process
 * that crashes in a loop is the most likely to be banned; the limit on invalid requests bounds how often that happens.
 */
export const createEgressFile = ({ path, system, isServer }: EgressFileOptions): EgressJournal => {
  const writer = system.random.bytes(6).toString('hex');
  let written = 0;
  let seen = '';
  let known = new Set<string>();

  const readLines = (): string[] => readFileSync(path, 'utf8').split('\n');

  const forgetOld = (): void => {
    const wallMs = system.clock.wallMs();
    const isLive = (line: string): boolean => {
      const note = parseNote(line);
      return (
        note !== null && Math.max(note.at + COUNTED_MS, note.kind === 'banned' ? note.until : 0) > wallMs
      );
    };
    replaceFile(path, [...readLines().filter(isLive), ''].join('\n'), { sync: false });
  };

  return {
    read: () => {
      const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      const state = `${size} ${mtimeMs}`;
      if (size === 0 || state === seen) return [];
      const lines = readLines();
      const news = lines.filter((line) => !known.has(line)).map(parseNote);
      [seen, known] = [state, new Set(lines)];
      return news.filter((note) => note !== null);
    },
    write: (note) => {
      written += 1;
      const line = JSON.stringify({ ...note, by: `${writer}:${written}` });
      known.add(line);
      if (isServer && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LONG_BYTES) forgetOld();
      // After a power cut the notes are of no use, so nothing waits for the disk. A full disk may have torn a line.
      appendFileSync(path, `\n${line}\n`, { mode: 0o600 });
    },
  };
};

const parseNote = (line: string): EgressNote | null => {
  const note = parseJson(line) as EgressNote | null | undefined;
  return Number.isFinite(note?.at) ? (note ?? null) : null;
};
