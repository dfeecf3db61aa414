import { createOptOutStore } from '#server/lookup/opt-outs.ts';
import { fill } from '#shared/fill.ts';
import { ERROR_SENTENCES } from '#shared/sentences.ts';
import { parseSnowflake, type Snowflake } from '#shared/snowflake.ts';
import type { CommandContext, CommandInput, RunCommand } from '../command.ts';
import { badInput, failed } from '../failure.ts';
import { plural, table } from '../output.ts';

type TypedId = { readonly id: Snowflake; readonly line: number };

/** `-` is standard input, which keeps the ID out of the shell's history. */
const isPiped = ({ words: [text] }: CommandInput): boolean => text === '-';

const readIds = async (context: CommandContext, input: CommandInput): Promise<TypedId[]> => {
  const text = isPiped(input) ? await context.terminal.readInput() : (input.words[0] ?? '');
  const ids = text.split('\n').flatMap((typed, index): TypedId[] => {
    const parsed = parseSnowflake(typed, context.system.clock.wallMs());
    if (parsed.ok) return [{ id: parsed.id, line: index + 1 }];
    if (parsed.problem === 'missing') return [];
    const { platformName } = context.config;
    const problem = fill(ERROR_SENTENCES[`id-${parsed.problem}`], { platformName });
    throw badInput(isPiped(input) ? `Line ${index + 1}: ${problem}` : problem);
  });
  if (ids.length === 0) throw badInput('No ID given.');
  return ids;
};

export const add: RunCommand = async (context, input) => {
  const ids = await readIds(context, input);
  const { optOuts, vault } = await context.openRecords();
  const day = context.now().slice(0, 10);
  let added = 0;
  for (const { id } of ids) if (await optOuts.add(vault.optOutDigest(id), day)) added += 1;
  // Nobody is told that they are on the list because the database said so: it is looked up.
  const listed = new Set((await optOuts.all()).map(({ digest }) => digest));
  if (!ids.every(({ id }) => listed.has(vault.optOutDigest(id))))
    throw failed('The database does not keep what is written to it', 'see ops doctor, and restore a backup.');
  return {
    lines: [
      `${plural(added, 'ID')} added.`,
      added < ids.length && `${plural(ids.length - added, 'ID')} already on the list.`,
    ],
  };
};

export const remove: RunCommand = async (context, input) => {
  const ids = await readIds(context, input);
  const { database, vault, optOuts } = await context.openRecords();
  const typed = new Set(ids.map(({ id }) => vault.optOutDigest(id)));
  const listed = typed.intersection(new Set((await optOuts.all()).map(({ digest }) => digest)));
  if (listed.size > 0) await context.confirm();
  await database.transaction().execute(async (step) => {
    for (const digest of listed) await createOptOutStore(step).remove(digest);
  });
  const others = typed.size - listed.size;
  return {
    lines: [
      `${plural(listed.size, 'ID')} removed.`,
      others > 0 && `${plural(others, 'ID')} not on the list.`,
    ],
  };
};

export const check: RunCommand = async (context, input) => {
  const typed = await readIds(context, input);
  const { optOuts, vault } = await context.openRecords();
  const days = new Map((await optOuts.all()).map(({ digest, created_day }) => [digest, created_day]));
  return {
    lines: table(
      ['LINE', 'ON LIST', 'SINCE'],
      typed.map(({ id, line }) => {
        const since = days.get(vault.optOutDigest(id)) ?? null;
        return [line, since !== null, since];
      }),
    ),
  };
};
