import { statfsSync } from 'node:fs';

/** Below this the disk counts as almost full. The alert has the same number. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024;

/** What an ordinary user may still write to the disk that the folder is on. */
export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
