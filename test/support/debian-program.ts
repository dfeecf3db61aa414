import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/** Where `scripts/debian-programs.mjs` unpacks what the machine does not have. */
const TOOLS = join(import.meta.dirname, '../../.tools');

/** To look in. `npm run check` does without: tests that need one are skipped. */
const ROOTS = env['TEST_WITHOUT_PROGRAMS'] === undefined ? ['/', TOOLS] : [];

/** Where a program is, given its path below the root of a Debian machine; null if it is not available. */
export const findProgram = (path: string): string | null =>
  ROOTS.map((root) => join(root, path)).find(existsSync) ?? null;

/** Libraries that a program was unpacked with; those of the machine come after them. */
export const libraryPath = (root = TOOLS): string => {
  const folder = join(root, 'usr/lib');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .join(':');
};
