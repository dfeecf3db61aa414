import { statfsSync } from 'node:fs';

/** Below this the disk counts as almost full. The alert has the same number. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024;

/** How much an ordinary user may still write to the folder's disk; null if the disk does not say, or is gone. */
export const freeBytes = (folder: string): number | null => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
};
