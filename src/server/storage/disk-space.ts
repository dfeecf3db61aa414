import { statfsSync } from 'node:fs';
import { nullOnFileError } from './storage-fault.ts';

/** The alert has the same number. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024;

export const freeBytes = (folder: string): number | null =>
  nullOnFileError(() => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  });
