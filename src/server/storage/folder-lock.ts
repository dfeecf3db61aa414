import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { isStorageFault } from './storage-fault.ts';

export const LOCK_FILE = 'server.lock';

/** The lowest byte of SQLite's code is the kind of error. */
const SQLITE_BUSY = 5;

/**
 * Keeps a second server off the folder. SQLite locks an empty file for as long as the connection is open: a lock of
 * the kernel, so it ends with the process, however that ends, and holds across containers that share the folder.
 */
export const lockFolder = (folder: string): Disposable => {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
    // Nothing is ever written, so no journal has to lie beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    if ((Number((error as { errcode?: number }).errcode) & 0xff) === SQLITE_BUSY)
      throw new OperatorError(
        EXIT.serverRunning,
        `A server is already running on ${folder}`,
        'stop it first, or set another DATA_DIR.',
      );
    if (!isStorageFault(error)) throw error;
    throw new OperatorError(
      EXIT.databaseUnusable,
      `${join(folder, LOCK_FILE)} cannot be locked`,
      'check DATA_DIR and its owner; under systemd, the unit must allow the folder with ReadWritePaths=.',
    );
  }
};
