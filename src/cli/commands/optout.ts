import { createOptOutStore } from '#server/privacy/opt-outs.ts';
import { idProblem } from '#shared/sentences.ts';
import { parseSnowflake, type Snowflake } from '#shared/snowflake.ts';
import { badInput, type RunCommand, type CommandContext, type CommandInput } from '../command.ts';
import { plural, table } from '../output.ts';

/** `-` stands for standard input, so that the shell's history need not know whom it is about. */
const readIds = async (
  context: CommandContext,
  { words: [text = ''] }: CommandInput,
): Promise<Snowflake[]> => {
  const lines = text === '-' ? (await context.terminal.readInput()).trim().split('\n') : [text];
  return lines.map((line) => {
    const parsed = parseSnowflake(line, context.system.clock.wallMs());
    if (parsed.ok) return parsed.id;
    if (parsed.problem === 'missing') throw badInput('No id was given.');
    throw badInput(idProblem(parsed.problem, context.config.platformName));
  });
};

export const addOptOuts: RunCommand = async (context, input) => {
  const ids = await readIds(context, input);
  const { optOuts, vault } = await context.openRecords({ create: true });
  const day = context.now().slice(0, 10);
  let added = 0;
  for (const id of ids) if (await optOuts.add(vault.optOutDigest(id), day)) added += 1;
  return {
    data: { added, already: ids.length - added },
    lines: [
      `${plural(added, 'id')} added.`,
      added < ids.length && `${plural(ids.length - added, 'id')} on the list already.`,
    ],
  };
};

export const removeOptOuts: RunCommand = async (context, input) => {
  const ids = [...new Set(await readIds(context, input))];
  const { database, vault } = await context.openRecords();
  // All or none: an id that is refused takes back what was removed before it.
  await database.transaction().execute(async (step) => {
    const optOuts = createOptOutStore(step);
    for (const id of ids)
      if (!(await optOuts.remove(vault.optOutDigest(id))))
        throw badInput(`${ids.length === 1 ? 'The id' : 'An id'} is not on the list: nothing was removed.`);
  });
  return { data: { removed: ids.length }, lines: [`${plural(ids.length, 'id')} removed.`] };
};

export const listOptOuts: RunCommand = async (context) => {
  const rows = await (await context.openRecords()).optOuts.all();
  const optOuts = rows.map(({ digest, created_day }) => ({
    digest: digest.slice(0, 12),
    day: created_day,
  }));
  return {
    data: { count: rows.length, opt_outs: optOuts },
    lines: [...table(['DIGEST', 'DAY'], optOuts), `${plural(rows.length, 'id')} on the list.`],
  };
};
