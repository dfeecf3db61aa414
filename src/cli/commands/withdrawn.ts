import { existsSync } from 'node:fs';
import type { RunCommand } from '../command.ts';
import { plural } from '../output.ts';
import { badInput } from '../failure.ts';

const HELD =
  'Stored tokens are not used: once every machine has started, or its withdrawn.txt was merged, run withdrawn release.';
const USED = 'No list of withdrawn tokens is missing: stored tokens are in use.';

export const merge: RunCommand = async (context, { words: [file = ''] }) => {
  if (!existsSync(file)) throw badInput(`There is no file ${file}.`);
  const { withdrawn } = await context.openRecords();
  const merged = await withdrawn.merge(file);
  return {
    lines: [
      `Merged a list of ${plural(merged, 'withdrawn token')}.`,
      (await withdrawn.isHeld()) ? HELD : USED,
    ],
  };
};

export const release: RunCommand = async (context) => {
  const { withdrawn } = await context.openRecords();
  if (!(await withdrawn.isHeld())) return { lines: [USED] };
  await context.confirm();
  await withdrawn.release();
  return { lines: ['Stored tokens are used.'] };
};
