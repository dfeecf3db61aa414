import { openRow } from '#server/vault/sealed-row.ts';
import type { RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';
import { askTokenUse } from '../../running-server.ts';
import { botDigest, shortId } from './known-token.ts';

export const listTokens: RunCommand = async (context) => {
  const { donatedTokens, vault } = await context.openRecords();
  const use = await askTokenUse(context.config.admin);
  const requestsOf = (bot: string | null) => (use === null || bot === null ? null : (use.get(bot) ?? 0));
  const opened = (await donatedTokens.all()).map((row) => {
    const token = openRow(vault, row);
    return { row, bot: token === null ? null : botDigest(vault, token) };
  });
  // The file of own tokens may be for the server's eyes only: then they are what it uses beside the stored ones.
  const usedBesides = new Set(use?.keys() ?? []).difference(new Set(opened.map(({ bot }) => bot)));
  const own = new Set([...context.config.botTokens.map((token) => botDigest(vault, token)), ...usedBesides]);
  const tokens = [
    ...opened.map(({ row, bot }) => ({
      id: shortId(row.id),
      kind: 'stored',
      day: row.created_day,
      key: row.kid,
      opens: bot !== null,
      requests: requestsOf(bot),
    })),
    ...[...own].map((bot) => ({
      id: shortId(bot),
      kind: 'own',
      day: null,
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
