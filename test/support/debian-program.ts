import { existsSync, globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where `scripts/debian-programs.mjs` unpacks what the machine does not have. */
const TOOLS = join(import.meta.dirname, '../../.tools');

/** Where a program is, given its path below the root of a Debian machine or a pattern; null if it is not available. */
export const findProgram = (path: string): string | null =>
  ['/', TOOLS].flatMap((root) => globSync(join(root, path)).toSorted().toReversed())[0] ?? null;

/** Libraries that a program was unpacked with; those of the machine come after them. */
export const libraryPath = (root = TOOLS): string => {
  const folder = join(root, 'usr/lib');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .join(':');
};
