import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Invalid answers that fell into one cell of time, by wall clock so that a restart can read them. */
export type InvalidCell = { readonly startWallMs: number; readonly count: number };

/** Where the count outlives the process: the platform's ban is on the address, not on the process. */
export type InvalidRequestJournal = {
  readonly load: () => readonly InvalidCell[];
  readonly save: (cells: readonly InvalidCell[]) => void;
};

/**
 * Keeps the governor's count in a small file. Written at once, because a process that crashes in a loop is just the
 * one that would run into the ban; the governor itself bounds how often that is.
 */
export const createInvalidRequestFile = (path: string, onWriteFailed: () => void): InvalidRequestJournal => ({
  load: () => {
    try {
      return parseCells(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return [];
    }
  },
  save: (cells) => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.new`;
      writeFileSync(draft, JSON.stringify(cells), { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      // The count in memory still holds; lookups must not fail because a disk is full.
      onWriteFailed();
    }
  },
});

const parseCells = (content: unknown): InvalidCell[] => {
  if (!Array.isArray(content)) return [];
  return content.filter(
    (cell: Partial<InvalidCell> | null): cell is InvalidCell =>
      Number.isFinite(cell?.startWallMs) && Number.isInteger(cell?.count),
  );
};
