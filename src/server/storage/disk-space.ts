import { statfsSync } from 'node:fs';

/** The alert has the same number. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024;

export const freeBytes = (folder: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
};
