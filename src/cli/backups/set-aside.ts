import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '#server/storage/data-folder.ts';
import { linkNew, syncFile, syncFolder } from '#server/storage/durable-file.ts';
import { LOCK_FILE, lockFolder } from '#server/storage/data-folder.ts';

/** The database is moved first: its log alone cannot be mistaken for a database. */
const FILES = ['', '-wal', '-shm'].map((end) => `${DATABASE_FILE}${end}`);

export const databaseFiles = (dataDir: string): string[] =>
  FILES.filter((name) => existsSync(join(dataDir, name)));

/** Where no server has ever started there is no lock, and none is made. */
export const lockOutServers = (dataDir: string): Disposable | null =>
  existsSync(join(dataDir, LOCK_FILE)) ? lockFolder(dataDir) : null;

/** Deletes nothing: returns the folder that the old one was moved to. */
export const putInPlace = (made: string, dataDir: string, now: string): string | null => {
  syncFile(made);
  const names = databaseFiles(dataDir);
  const aside = names.length === 0 ? null : setAside(dataDir, `replaced-${now}`);
  try {
    linkNew(made, join(dataDir, DATABASE_FILE));
    return aside;
  } catch (error) {
    if (aside !== null) move(names, aside, dataDir);
    throw error;
  }
};

export const setAside = (dataDir: string, name: string): string => {
  const aside = join(dataDir, name.replaceAll(':', '-'));
  mkdirSync(aside, { mode: 0o700 });
  move(databaseFiles(dataDir), dataDir, aside);
  return aside;
};

const move = (names: readonly string[], from: string, to: string): void => {
  for (const name of names) renameSync(join(from, name), join(to, name));
  syncFolder(from);
  syncFolder(to);
};
