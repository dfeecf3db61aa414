import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNBOOK = join(import.meta.dirname, '../../docs/operations.md');
const CHAPTER = '## Rehearsal';

/** The commands of the runbook's rehearsal, block by block, as they are printed there. */
export const rehearsalBlocks = (): string[] => {
  const [, chapter = ''] = readFileSync(RUNBOOK, 'utf8').split(CHAPTER, 2);
  return [...chapter.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
};
