import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Until then a new file's content may survive a power cut while its name does not. */
export const syncFolder = (folder: string): void => {
  const directory = openSync(folder, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
};
