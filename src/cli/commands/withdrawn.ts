import { existsSync } from 'node:fs';
import { isDryRun, type RunCommand } from '../command.ts';
import { badInput } from '../refusals.ts';
import { plural } from '../output.ts';

const UNTIL =
  'Stored tokens are not used until these machines have started, or their withdrawn.txt was given to withdrawn merge:';
const NONE = 'No list of withdrawn tokens is missing: stored tokens are in use.';

const describe = (machines: readonly string[]): string[] =>
  machines.length === 0 ? [NONE] : [UNTIL, ...machines.map((name) => `  ${name}`)];

const mergeWithdrawn: RunCommand = async (context, { words: [, file = ''] }) => {
  if (!existsSync(file)) throw badInput(`There is no file ${file}.`);
  const { withdrawn } = await context.openRecords();
  const merged = await withdrawn.merge(file);
  const awaited = await withdrawn.awaited();
  return {
    data: { file, merged_count: merged, awaited },
    lines: [`Merged a list of ${plural(merged, 'withdrawn token')}.`, ...describe(awaited)],
  };
};

/** For a restore that leaves no trace in the database itself: a snapshot of its disk, a point in time. */
const holdTokens: RunCommand = async (context) => {
  if (context.config.databaseUrl === null)
    throw badInput(
      'Only needed with DATABASE_URL',
      'a list of withdrawn tokens in DATA_DIR outlives its database.',
    );
  const { withdrawn } = await context.openRecords();
  await withdrawn.hold();
  const awaited = await withdrawn.awaited();
  return { data: { awaited }, lines: describe(awaited) };
};

const releaseTokens: RunCommand = async (context, input) => {
  const { withdrawn } = await context.openRecords();
  const awaited = await withdrawn.awaited();
  if (awaited.length === 0) return { data: { released: [] }, lines: [NONE] };
  await context.confirm();
  if (!isDryRun(input)) await withdrawn.release();
  const are = isDryRun(input) ? 'would be' : 'are';
  return {
    data: { released: awaited },
    lines: [`Stored tokens ${are} used without the lists of ${awaited.join(', ')}.`],
  };
};

const STEPS = new Map(Object.entries({ merge: mergeWithdrawn, hold: holdTokens, release: releaseTokens }));

export const withdrawn: RunCommand = async (context, input) => {
  const step = STEPS.get(input.words[0] ?? '');
  if (step === undefined) throw badInput('There is no such step', `choose ${[...STEPS.keys()].join(', ')}.`);
  return step(context, input);
};
