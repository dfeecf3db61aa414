import { createDecoy } from '#server/donation/decoy.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { botFingerprints, openRow } from '#server/vault/sealed-row.ts';
import type { Vault } from '#server/vault/vault.ts';
import { badInput, isDryRun, type RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';
import { askTokenUse } from '../../running-server.ts';

const SHORT = 8;
export const shortId = (id: string): string => id.slice(0, SHORT);

/** A keyed digest: without the keyring, nobody can tell which bot it stands for. */
export const botDigest = (vault: Vault, { botId }: BotToken): string => botFingerprints(vault, botId)[0];

export const listTokens: RunCommand = async (context) => {
  const { donatedTokens, vault } = await context.openRecords();
  const use = await askTokenUse(context.config.admin);
  const requestsOf = (bot: string | null) => (use === null || bot === null ? null : (use.get(bot) ?? 0));
  const opened = (await donatedTokens.all()).map((row) => {
    const token = openRow(vault, row);
    return { row, bot: token === null ? null : botDigest(vault, token) };
  });
  // Your own tokens, also if this user may not read their file: the server uses them, and they are not stored.
  const usedBesides = new Set(use?.keys() ?? []).difference(new Set(opened.map(({ bot }) => bot)));
  const own = new Set([...context.config.botTokens.map((token) => botDigest(vault, token)), ...usedBesides]);
  const tokens = [
    ...opened.map(({ row, bot }) => ({
      id: shortId(row.id),
      kind: 'stored',
      created_day: row.created_day,
      key: row.kid,
      opens: bot !== null,
      requests: requestsOf(bot),
    })),
    ...[...own].map((bot) => ({
      id: shortId(bot),
      kind: 'own',
      created_day: null,
      key: null,
      opens: null,
      requests: requestsOf(bot),
    })),
  ];
  return {
    data: { tokens },
    lines: [
      ...table(['ID', 'KIND', 'DAY', 'KEY', 'OPENS', 'REQUESTS'], tokens),
      `${plural(opened.length, 'token')} stored, ${own.size} of your own.`,
      use === null
        ? 'The server is not answering, so usage is unknown.'
        : 'Requests are counted since the server started.',
    ],
  };
};

const START_OF_ID = new RegExp(`^[0-9a-f][0-9a-f-]{${SHORT - 1},35}$`);
const unknownId = () => badInput('No stored token has this ID', 'tokens list shows the eight-character IDs.');

export const removeToken: RunCommand = async (context, input) => {
  const [wanted = ''] = input.words;
  const { donatedTokens, retirements, withdrawn } = await context.openRecords();
  if (!START_OF_ID.test(wanted)) throw unknownId();
  const rows = await donatedTokens.all();
  const found = rows.filter(({ id }) => id.startsWith(wanted));
  const [row] = found;
  if (row === undefined) {
    if (!(await retirements.has(wanted))) throw unknownId();
    return {
      data: { id: shortId(wanted), removed: false },
      lines: [`The token ${shortId(wanted)} is gone already: nothing was changed.`],
    };
  }
  if (found.length > 1) throw badInput('Several token IDs start like this', 'type more of it.');
  const data = { id: shortId(row.id), removed: true };
  await context.confirm();
  if (isDryRun(input)) return { data, lines: [`The token ${shortId(row.id)} would be deleted.`] };
  // As when a donor withdraws it: a restored backup must not bring it back.
  await withdrawn.add(row.id, async () => {
    await retirements.add({ token_id: row.id, retired_at: context.now(), reason: 'operator' });
    await donatedTokens.withdraw(row.id, createDecoy(context.system));
  });
  return { data, lines: [`Deleted the token ${shortId(row.id)}.`] };
};
