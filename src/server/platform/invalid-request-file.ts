import { readFileSync } from 'node:fs';
import { replaceFile } from '#server/storage/durable-file.ts';

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
export const createInvalidRequestFile = (path: string): InvalidRequestJournal => ({
  load: () => {
    try {
      return parseCells(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return [];
    }
  },
  // After a power cut the count is of no use, so nothing waits for the disk.
  save: (cells) => replaceFile(path, JSON.stringify(cells), { sync: false }),
});

const parseCells = (content: unknown): InvalidCell[] => {
  if (!Array.isArray(content)) return [];
  return content.filter(
    (cell: Partial<InvalidCell> | null): cell is InvalidCell =>
      Number.isFinite(cell?.startWallMs) && Number.isInteger(cell?.count),
  );
};
