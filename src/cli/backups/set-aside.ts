import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { linkNew, syncFile, syncFolder } from '#server/storage/durable-file.ts';

/** The database first: without it, what is left of it is plainly no database any more. */
const FILES = ['', '-wal', '-shm'].map((end) => `${DATABASE_FILE}${end}`);

/** What of a database is there. After a crash part of it is still in its log. */
export const databaseFiles = (dataDir: string): string[] =>
  FILES.filter((name) => existsSync(join(dataDir, name)));

/**
 * Gives a finished database its place. What is there is moved into a new folder beside it, which is told, and nothing
 * is deleted.
 */
export const putInPlace = (made: string, dataDir: string, now: string): string | null => {
  syncFile(made);
  const names = databaseFiles(dataDir);
  const aside = names.length === 0 ? null : join(dataDir, `replaced-${now.replaceAll(':', '-')}`);
  if (aside !== null) {
    mkdirSync(aside, { mode: 0o700 });
    move(names, dataDir, aside);
  }
  try {
    linkNew(made, join(dataDir, DATABASE_FILE));
    return aside;
  } catch (error) {
    if (aside !== null) move(names, aside, dataDir);
    throw error;
  }
};

/** Moves the database into a new folder beside it, which is told. */
export const setAside = (dataDir: string, folder: string): string => {
  const aside = join(dataDir, folder);
  mkdirSync(aside, { mode: 0o700 });
  move(databaseFiles(dataDir), dataDir, aside);
  return aside;
};

const move = (names: readonly string[], from: string, to: string): void => {
  for (const name of names) renameSync(join(from, name), join(to, name));
  syncFolder(from);
  syncFolder(to);
};
