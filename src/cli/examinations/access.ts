import { accessSync } from 'node:fs';

/** Whether this user may do with a file or folder what the mode says. */
export const allows = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};
