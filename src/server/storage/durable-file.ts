import {
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whole or not at all, never over another file, and on disk with its name when it returns. */
export const createFile = (path: string, text: string): void => {
  makeFolder(path);
  const draft = writeDraft(path, text);
  try {
    linkNew(draft, path);
  } finally {
    rmSync(draft);
  }
};

/** At every moment the name leads to the old content or to the new one. */
export const replaceFile = (path: string, text: string): void => {
  makeFolder(path);
  const owner = statSync(path, { throwIfNoEntry: false });
  const draft = writeDraft(path, text);
  // A command that root runs must not lock out the server; nobody else may give files away.
  if (owner !== undefined && process.getuid?.() === 0) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, path);
  syncFolder(dirname(path));
};

/** Unlike the others it is called while visitors are served, so none of them waits for the disk. */
export const appendToFile = async (path: string, text: string): Promise<void> => {
  makeFolder(path);
  // Not through a link: somebody else may have planted it.
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  await appendFile(path, text, {
    flag: O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY,
    mode: 0o600,
    flush: true,
  });
  await using folder = await open(dirname(path));
  await folder.sync();
};

/** Unlike a rename it throws if another process was quicker. */
export const linkNew = (draft: string, path: string): void => {
  linkSync(draft, path);
  syncFolder(dirname(path));
};

export const syncFile = (path: string): void => {
  sync(path, 'r+');
  syncFolder(dirname(path));
};

/** Until then a new file's content may survive a power cut while its name does not. */
export const syncFolder = (folder: string): void => sync(folder, 'r');

const makeFolder = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
};

const writeDraft = (path: string, text: string): string => {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
  return draft;
};

const sync = (path: string, flags: 'r' | 'r+'): void => {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};
