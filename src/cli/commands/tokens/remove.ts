import { shortId } from '#server/donation/token-report.ts';
import { botFingerprint } from '#server/vault/donated-tokens.ts';
import type { RunCommand } from '../../command.ts';
import { badInput } from '../../failure.ts';

const START_OF_ID = /^[0-9a-f][0-9a-f-]{7,35}$/;
const unknownId = () => badInput('No stored token has this ID', 'tokens list shows the eight-character IDs.');

export const remove: RunCommand = async (context, { words: [wanted = ''] }) => {
  const { config, openRecords } = context;
  const { donatedTokens, retirements, withdrawn, vault } = await openRecords();
  if (!START_OF_ID.test(wanted)) throw unknownId();
  const rows = await donatedTokens.all();
  const found = rows.filter(({ id }) => id.startsWith(wanted));
  const [row] = found;
  if (config.botTokens.some(({ botId }) => botFingerprint(vault, botId).startsWith(wanted)))
    throw badInput('This is one of your own tokens', 'delete it from BOT_TOKENS or its file, and restart.');
  if (row === undefined) {
    if (!(await retirements.has(wanted))) throw unknownId();
    return { lines: [`The token ${shortId(wanted)} is gone already: nothing was changed.`] };
  }
  if (found.length > 1) throw badInput('Several token IDs start like this', 'type more of it.');
  await context.confirm();
  // As when a donor withdraws it: a restored backup must not bring it back.
  await withdrawn.add(row.id, async () => {
    await retirements.add({ token_id: row.id, retired_at: context.now(), reason: 'operator' });
    await donatedTokens.withdraw(row.id);
  });
  return { lines: [`Deleted the token ${shortId(row.id)}.`] };
};
