import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Changes = Readonly<Record<string, (text: string) => string>>;

export const changeFiles = (folder: string, changes: Changes): void => {
  for (const [path, change] of Object.entries(changes)) {
    const file = join(folder, path);
    const before = readFileSync(file, 'utf8');
    if (change(before) === before) throw new Error(`${path} has not what is to be changed.`);
    writeFileSync(file, change(before));
  }
};
