import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nullOnFileError } from './storage-fault.ts';

export type LastBackup = { readonly at: string; readonly file: string };

type BackupPlaces = { readonly backupDir: string | null; readonly databaseUrl: unknown };

/** A series is daily, and has half a day's grace. The alert has the same number. */
export const BACKUP_IS_OLD_MS = 36 * 3_600_000;

const SERIES = /^whoflake-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.sqlite$/;
/** How the files begin. A dump that failed is empty, or little more than this. */
const SQLITE_MAGIC = 'SQLite format 3\0';
const DUMP_MAGIC = 'PGDMP';
const LEAST_BYTES = 1_024;

export const seriesName = (wallMs: number): string =>
  `whoflake-${new Date(wallMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite`;

/** Oldest first. */
export const seriesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && SERIES.test(entry.name))
    .map(({ name }) => name)
    .toSorted();

/** The time in its name outlives a copy to another disk. */
const madeMs = (name: string, path: string): number =>
  SERIES.test(name) ? Date.parse(name.replace(SERIES, '$1T$2:$3:$4Z')) : statSync(path).mtimeMs;

const beginsWith = (path: string, magic: string): boolean => {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(magic.length);
    readSync(file, head, 0, head.length, 0);
    return head.toString('latin1') === magic;
  } finally {
    closeSync(file);
  }
};

const isGood = (path: string, magic: string): boolean =>
  nullOnFileError(() => statSync(path).size >= LEAST_BYTES && beginsWith(path, magic)) ?? false;

/** The newest good file of BACKUP_DIR: our own series, or with PostgreSQL what `pg_dump` has made. */
export const findLastBackup = ({ backupDir, databaseUrl }: BackupPlaces): LastBackup | null => {
  const folder = backupDir ?? '';
  const isOurs = databaseUrl === null;
  const names = nullOnFileError(() => (isOurs ? seriesIn(folder) : readdirSync(folder))) ?? [];
  const files = names.flatMap((name) => {
    const file = join(folder, name);
    const ms = nullOnFileError(() => madeMs(name, file));
    return ms === null ? [] : { file, ms };
  });
  const magic = isOurs ? SQLITE_MAGIC : DUMP_MAGIC;
  const newest = files.toSorted((one, other) => other.ms - one.ms).find(({ file }) => isGood(file, magic));
  return newest === undefined ? null : { at: new Date(newest.ms).toISOString(), file: newest.file };
};

/** What helps where the database is gone. */
export const restoreCommand = (places: BackupPlaces): string =>
  `ops restore ${findLastBackup(places)?.file ?? '<file>'}`;
