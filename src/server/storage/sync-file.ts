import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** A file that another hand has written, with its name: on disk when it returns. */
export const syncFile = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(dirname(path));
};
