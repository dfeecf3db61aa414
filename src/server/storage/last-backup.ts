import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable-file.ts';
import { nullOnFileError } from './storage-fault.ts';

export type LastBackup = {
  readonly at: string;
  readonly file: string;
  /** A key that it needs was retired since. */
  readonly isUnusable?: boolean;
};

/** A series is daily, and has half a day's grace. The alert has the same number. */
export const BACKUP_IS_OLD_MS = 36 * 3_600_000;

const FILE = 'last-backup.json';

type BackupPlaces = {
  readonly dataDir: string;
  readonly backupDir: string | null;
  readonly databaseUrl: unknown;
};

/** Those of PostgreSQL the operator makes: the newest file counts. */
export const findLastBackup = ({ dataDir, backupDir, databaseUrl }: BackupPlaces): LastBackup | null =>
  databaseUrl === null ? readLastBackup(dataDir) : newestIn(backupDir ?? '');

const newestIn = (folder: string): LastBackup | null => {
  const files = (nullOnFileError(() => readdirSync(folder)) ?? []).map((name) => join(folder, name));
  const times = files.map((file) => ({ file, ms: nullOnFileError(() => statSync(file).mtimeMs) ?? 0 }));
  const newest = times.toSorted((one, other) => other.ms - one.ms)[0];
  return newest === undefined ? null : { at: new Date(newest.ms).toISOString(), file: newest.file };
};

export const readLastBackup = (dataDir: string): LastBackup | null => {
  try {
    const { at, file, isUnusable } = JSON.parse(
      readFileSync(join(dataDir, FILE), 'utf8'),
    ) as Partial<LastBackup>;
    return typeof at === 'string' && typeof file === 'string' && !Number.isNaN(Date.parse(at))
      ? { at, file, ...(isUnusable === true && { isUnusable }) }
      : null;
  } catch {
    return null;
  }
};

export const writeLastBackup = (dataDir: string, last: LastBackup): void =>
  replaceFile(join(dataDir, FILE), `${JSON.stringify(last)}\n`);
