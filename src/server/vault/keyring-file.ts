import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, StartError } from '#server/start-error.ts';
import { syncFolder } from '#server/storage/sync-folder.ts';

/** The text of the keyring file, or null if there is none. Refuses one that others on the machine can read. */
export const readKeyringFile = (path: string): string | null => {
  const mode = modeOf(path);
  if (mode === null) return null;
  if ((mode & 0o077) !== 0) {
    throw new StartError(
      `The keyring ${path} can be read by others: run chmod 600 on it.`,
      EXIT.keyringExposed,
    );
  }
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new StartError(`The keyring ${path} cannot be read: check its owner.`, EXIT.keyringUnreadable);
  }
};

/**
 * Whole or not at all, and never over another. On disk, name included, before it returns: no token may be sealed
 * under a key that can vanish.
 */
export const writeNewKeyringFile = (path: string, text: string): void => {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeWhole(`${path}.new`, text);
    // Unlike a rename it fails if another process was quicker.
    linkSync(`${path}.new`, path);
    rmSync(`${path}.new`);
    syncFolder(dirname(path));
  } catch {
    throw new StartError(
      `The keyring ${path} cannot be created: check KEYRING_FILE, the owner of its folder and the disk.`,
      EXIT.keyringUnreadable,
    );
  }
};

/** In place of the one that is there: at every moment, power cut or not, the name leads to the old ring or to the new one. */
export const replaceKeyringFile = (path: string, text: string): void => {
  try {
    const { uid, gid } = statSync(path);
    writeWhole(`${path}.new`, text);
    // A command that root runs must not lock out the server.
    chownSync(`${path}.new`, uid, gid);
    renameSync(`${path}.new`, path);
    syncFolder(dirname(path));
  } catch {
    throw new StartError(
      `The keyring ${path} cannot be changed: check its owner, that of its folder, and the disk.`,
      EXIT.keyringUnreadable,
    );
  }
};

const writeWhole = (path: string, text: string): void => {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const modeOf = (path: string): number | null => {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
};
