import { closeSync, constants, fchmodSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { isSqliteError, isStorageFault, unusable } from './storage-fault.ts';

export const LOCK_FILE = 'server.lock';

/** Whoever can write to the folder can have us write elsewhere, by a link in the place of any file of ours. */
const refuseOpenFolder = (folder: string): void => {
  const { uid, gid, mode } = statSync(folder);
  const [ownUser, ownGroup] = [process.geteuid?.(), process.getegid?.()];
  const isOfOthers = ownUser !== undefined && uid !== ownUser && uid !== 0 && ownUser !== 0;
  const forGroup = gid === 0 || gid === ownGroup ? 0 : 0o020;
  if (!isOfOthers && (mode & (0o002 | forGroup)) === 0) return;
  throw new OperatorError(
    EXIT.databaseUnusable,
    `Others can write to ${folder}`,
    'run chmod 700 on it, as the user that the server runs as.',
  );
};

/** For us alone: a lock for reading, which any reader could take, would keep the server from starting. */
const makeLockFile = (path: string): void => {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
};

/** A lock of the kernel: ends with the process, however that ends, and holds across containers that share the folder. */
export const lockFolder = (folder: string): Disposable => {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseOpenFolder(folder);
    makeLockFile(join(folder, LOCK_FILE));
    lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
    // Nothing is ever written, so no journal has to lie beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    if (isSqliteError(error, 'BUSY'))
      throw new OperatorError(
        EXIT.serverRunning,
        `A server is already running on ${folder}`,
        'stop it first, or set another DATA_DIR.',
      );
    if (error instanceof OperatorError || !isStorageFault(error)) throw error;
    throw unusable(`${join(folder, LOCK_FILE)} cannot be locked`);
  }
};
