import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const RUNBOOK = join(import.meta.dirname, '../../../docs/operations.md');

/** The text below a heading such as `## Upgrade`, up to the next of its level. */
const readChapter = (heading: string): string => {
  const [, chapter] = readFileSync(RUNBOOK, 'utf8').split(`\n${heading}\n`, 2);
  if (chapter === undefined) throw new Error(`The runbook has no chapter "${heading}".`);
  const [level = ''] = heading.split(' ', 1);
  return chapter.split(new RegExp(`\\n#{1,${level.length}} `), 1)[0] ?? '';
};

export const blocksIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

export const readBlocks = (heading: string): readonly string[] => blocksIn(readChapter(heading));
