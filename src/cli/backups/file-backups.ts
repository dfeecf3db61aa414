import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '#server/open-records.ts';
import { copyDatabase } from '#server/storage/sqlite/copy-database.ts';
import { inspectDatabase } from '#server/storage/inspect-database.ts';
import { noRecords, type CommandContext } from '../command.ts';
import { orRefuse } from '../file-errors.ts';
import { databaseFiles, lockOutServers, putInPlace } from './set-aside.ts';
import { noSuchFile, openCopy, versionOf, type BackupContents, type SiteBackups } from './verify-backup.ts';

const PREFIX = 'trial-';
const DAY_MS = 86_400_000;

/** Backups of the SQLite file in the data folder. */
export const createFileBackups = (context: CommandContext): SiteBackups => {
  const { dataDir } = context.config;
  return {
    ending: 'sqlite',
    copyTo: async (path) => {
      const source = join(dataDir, DATABASE_FILE);
      if (!existsSync(source)) throw noRecords(dataDir, await context.settingsSource());
      await copyDatabase(source, path);
      await intactVersion(path);
    },
    withVerified: (file, use) =>
      withVerifiedCopy(context, file, (copy, contents) =>
        use({ contents, putInPlace: async () => putInPlace(copy, dataDir, context.now()) }),
      ),
    lockOutServers: async () => lockOutServers(dataDir),
    present: async () => databaseFiles(dataDir),
  };
};

/** A folder on the disk of the database, deleted with all that is in it after `use`. */
export const withScratchFolder = async <T>(
  { config: { dataDir }, system }: CommandContext,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  removeLeftovers(dataDir, system.clock.wallMs());
  const folder = mkdtempSync(join(dataDir, PREFIX));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // It may have been mistyped.
    if (made !== undefined && readdirSync(dataDir).length === 0) rmSync(made, { recursive: true });
  }
};

/** Folders that killed commands left behind. After a day no command is still working in one. */
const removeLeftovers = (dataDir: string, wallMs: number): void => {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name);
    if (/^trial-\w{6}$/.test(name) && statSync(path).mtimeMs < wallMs - DAY_MS)
      rmSync(path, { recursive: true, force: true });
  }
};

/** Copies a backup, opens the copy as the server would, and hands over both the copy and what it holds. */
export const withVerifiedCopy = <T>(
  context: CommandContext,
  file: string,
  use: (copy: string, contents: BackupContents) => T | Promise<T>,
): Promise<T> =>
  withScratchFolder(context, async (folder) => {
    const { copy, version } = await copyBackup(file, folder);
    return use(copy, await openCopy(context, { databaseUrl: null, dataDir: folder }, version));
  });

/**
 * Copies a backup into the folder: SQLite may write beside what it reads, and a log that lies beside
 * the file, as after a crash, belongs to it. Refuses a damaged file and one that is not ours.
 */
export const copyBackup = async (
  file: string,
  folder: string,
): Promise<{ readonly copy: string; readonly version: number }> => {
  const copy = join(folder, DATABASE_FILE);
  orRefuse(noSuchFile(file), () => {
    for (const end of ['', '-wal'].filter((end) => end === '' || existsSync(`${file}${end}`))) {
      copyFileSync(`${file}${end}`, `${copy}${end}`);
      chmodSync(`${copy}${end}`, 0o600);
    }
  });
  return { copy, version: await intactVersion(copy) };
};

const intactVersion = async (copy: string): Promise<number> =>
  versionOf(await inspectDatabase(copy, { check: 'integrity_check' }));
