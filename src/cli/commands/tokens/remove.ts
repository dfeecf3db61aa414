import { createDecoy } from '#server/donation/decoy.ts';
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
    throw badInput('No stored token has this ID', 'tokens list shows the eight-character IDs.');
  if (found.length > 1) throw badInput('Several token IDs start like this', 'type more of it.');
  const data = { removed: shortId(row.id) };
  if (isDryRun(input)) return { data, lines: [`The token ${shortId(row.id)} would be deleted.`] };
  // As for a donor who takes a token back: a restored backup must not revive it.
  await withdrawn.add(row.id, async () => {
    await retirements.add({ token_id: row.id, retired_at: context.now(), reason: 'operator' });
    await donatedTokens.withdraw(row.id, createDecoy(context.system));
  });
  return { data, lines: [`Deleted the token ${shortId(row.id)}.`] };
};
