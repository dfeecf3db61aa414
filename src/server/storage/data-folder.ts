import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, OperatorError } from '#server/operator-error.ts';
import { createFile } from './durable-file.ts';
import { restoreCommand } from './last-backup.ts';
import { isSqliteError, isStorageFault, nullOnFileError, unusable } from './storage-fault.ts';

export const DATABASE_FILE = 'whoflake.sqlite';
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

type SitePlaces = {
  readonly dataDir: string;
  readonly keyringFile: string;
  readonly databaseUrl: unknown;
  readonly backupDir: string | null;
};

const hasDatabase = ({ dataDir }: SitePlaces): boolean => existsSync(join(dataDir, DATABASE_FILE));

/** Shows that there is a site even if its folder was moved or is not mounted. Null: the keyring outside of it does. */
const markerOf = ({ dataDir, keyringFile }: SitePlaces): string | null =>
  relative(resolve(dataDir), resolve(keyringFile)).startsWith('..') ? null : `${resolve(dataDir)}.site`;

export const isDatabaseLost = (places: SitePlaces): boolean =>
  places.databaseUrl === null &&
  !hasDatabase(places) &&
  [places.keyringFile, markerOf(places)].some((sign) => sign !== null && existsSync(sign));

/** An empty database instead of a lost one would show the people who opted out. */
export const refuseLostDatabase = (places: SitePlaces): void => {
  if (isDatabaseLost(places))
    throw missing(
      `The database in ${places.dataDir} is missing, but there has been one`,
      `is the disk of DATA_DIR mounted? If so, run ${restoreCommand(places)}, or start a new site with ops init.`,
    );
};

/** A server begins a site by itself only if it can never do so again. */
export const refuseForgottenSite = (places: SitePlaces): void => {
  const marker = markerOf(places);
  if (marker === null || hasDatabase(places) || isWritable(dirname(marker))) return;
  throw missing(
    `There is no database in ${places.dataDir}, and beside that folder no note can be left that there was one`,
    'set KEYRING_FILE to a place outside of it, or begin the site with ops init.',
  );
};

export const markSite = (places: SitePlaces): void => {
  const marker = places.databaseUrl === null ? markerOf(places) : null;
  if (marker !== null && !existsSync(marker) && isWritable(dirname(marker)))
    createFile(marker, 'There is a Whoflake site in the folder of this name without .site.\n');
};

const isWritable = (folder: string): boolean =>
  nullOnFileError(() => accessSync(folder, constants.W_OK)) !== null;

const missing = (finding: string, remedy: string): OperatorError =>
  new OperatorError(EXIT.databaseMissing, finding, remedy);

/** The alert has the same number. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024;

export const freeBytes = (folder: string): number | null =>
  nullOnFileError(() => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  });
