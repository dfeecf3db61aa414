import { badInput, isDryRun, type RunCommand } from '../../command.ts';
import { SHORT, shortId } from './known-token.ts';

export const removeToken: RunCommand = async (context, input) => {
  const [wanted = ''] = input.words;
  const { donatedTokens, retirements, withdrawn } = await context.openRecords();
  const found = (await donatedTokens.all()).filter(
    ({ id }) => wanted.length >= SHORT && id.startsWith(wanted),
  );
  const [row] = found;
  if (row === undefined)
    throw badInput('No stored token has this id', 'tokens list shows the ids, of eight characters.');
  if (found.length > 1) throw badInput('Several tokens have an id that begins like this', 'type more of it.');
  const data = { removed: shortId(row.id) };
  if (isDryRun(input)) return { data, lines: [`The token ${shortId(row.id)} would be deleted.`] };
  // As for a donor who takes a token back: a restored backup must not revive it.
  withdrawn.add(row.id);
  await retirements.add({ token_id: row.id, retired_at: context.now(), reason: 'operator' });
  await donatedTokens.remove(row.id);
  return { data, lines: [`The token ${shortId(row.id)} is gone.`] };
};
