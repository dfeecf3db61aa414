import { existsSync } from 'node:fs';
import { isDryRun, type RunCommand } from '../command.ts';
import { badInput } from '../refusals.ts';
import { plural } from '../output.ts';

const HELD =
  'Stored tokens are not used: once every machine has started, or its withdrawn.txt was merged, run withdrawn release.';
const USED = 'No list of withdrawn tokens is missing: stored tokens are in use.';

const mergeWithdrawn: RunCommand = async (context, { words: [, file = ''] }) => {
  if (!existsSync(file)) throw badInput(`There is no file ${file}.`);
  const { withdrawn } = await context.openRecords();
  const merged = await withdrawn.merge(file);
  const held = await withdrawn.isHeld();
  return {
    data: { file, merged_count: merged, held },
    lines: [`Merged a list of ${plural(merged, 'withdrawn token')}.`, held ? HELD : USED],
  };
};

/** For a restore that leaves no trace in the database itself: a snapshot of its disk, a point in time. */
const holdTokens: RunCommand = async (context) => {
  if (context.config.databaseUrl === null)
    throw badInput(
      'Only needed with DATABASE_URL',
      'a list of withdrawn tokens in DATA_DIR outlives its database.',
    );
  await (await context.openRecords()).withdrawn.hold();
  return { data: { held: true }, lines: [HELD] };
};

const releaseTokens: RunCommand = async (context, input) => {
  const { withdrawn } = await context.openRecords();
  if (!(await withdrawn.isHeld())) return { data: { released: false }, lines: [USED] };
  await context.confirm();
  if (!isDryRun(input)) await withdrawn.release();
  return {
    data: { released: true },
    lines: [`Stored tokens ${isDryRun(input) ? 'would be' : 'are'} used.`],
  };
};

const STEPS = new Map(Object.entries({ merge: mergeWithdrawn, hold: holdTokens, release: releaseTokens }));

export const withdrawn: RunCommand = async (context, input) => {
  const step = STEPS.get(input.words[0] ?? '');
  if (step === undefined) throw badInput('There is no such step', `choose ${[...STEPS.keys()].join(', ')}.`);
  return step(context, input);
};
