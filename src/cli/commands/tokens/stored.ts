import { openRow } from '#server/vault/sealed-row.ts';
import { badInput, type RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';

const SHORT = 8;
const shortId = (id: string): string => id.slice(0, SHORT);

export const listTokens: RunCommand = async (context) => {
  const { donatedTokens, vault } = await context.openRecords();
  const tokens = (await donatedTokens.all()).map((row) => ({
    id: shortId(row.id),
    day: row.created_day,
    key: row.kid,
    opens: openRow(vault, row) !== null,
  }));
  return {
    data: { tokens },
    lines: [...table(['ID', 'DAY', 'KEY', 'OPENS'], tokens), `${plural(tokens.length, 'token')} stored.`],
  };
};

export const removeToken: RunCommand = async (context, { words: [wanted = ''] }) => {
  const { donatedTokens, retirements, withdrawn } = await context.openRecords();
  const found = (await donatedTokens.all()).filter(
    ({ id }) => wanted.length >= SHORT && id.startsWith(wanted),
  );
  const [row] = found;
  if (row === undefined)
    throw badInput('No stored token has this id', 'tokens list shows the ids, of eight characters.');
  if (found.length > 1) throw badInput('Several tokens have an id that begins like this', 'type more of it.');
  // As for a donor who takes a token back: a restored backup must not revive it.
  withdrawn.add(row.id);
  await retirements.add({ token_id: row.id, retired_at: context.now(), reason: 'operator' });
  await donatedTokens.remove(row.id);
  return { data: { removed: shortId(row.id) }, lines: [`The token ${shortId(row.id)} is gone.`] };
};
