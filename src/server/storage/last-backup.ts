import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './durable-file.ts';

export type LastBackup = {
  readonly at: string;
  readonly file: string;
  /** A key that it needs was retired since. */
  readonly isUnusable?: boolean;
};

/** A series is daily, and has half a day's grace. The alert has the same number. */
export const BACKUP_IS_OLD_MS = 36 * 3_600_000;

const FILE = 'last-backup.json';

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
