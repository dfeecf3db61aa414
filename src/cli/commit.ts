import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nullOnFileError } from '#server/storage/storage-fault.ts';

/** A release has it in `.commit`; of a clone git knows it. */
export const readCommit = (root: string): string | null => {
  const told = nullOnFileError(() => readFileSync(join(root, '.commit'), 'utf8'));
  const said = told ?? spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout;
  return /^[0-9a-f]{40,64}(?=\n?$)/.exec(said ?? '')?.[0] ?? null;
};
