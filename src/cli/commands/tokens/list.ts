import { shortId, type ReportedToken } from '#server/donation/token-report.ts';
import { botFingerprint, openRow } from '#server/vault/donated-tokens.ts';
import type { CommandContext, RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';
import { askTokens } from '../../running-server.ts';

type Reports = Awaited<ReturnType<typeof askTokens>>;

const UNUSED: Partial<ReportedToken> = { state: 'unused', requests: 0 };

const reportOf = (reports: Reports, bot: string | null) => {
  const report = reports === null || bot === null ? {} : (reports.get(bot) ?? UNUSED);
  const { state = 'unknown', since = null, until = null, requests = null, invalid = 0 } = report;
  return { state, since, until, requests, invalid } as const;
};

const listStored = async ({ config, openRecords }: CommandContext, reports: Reports) => {
  const { donatedTokens, vault, withdrawn } = await openRecords();
  const opened = (await donatedTokens.all()).map((row) => {
    const token = openRow(vault, row);
    return { row, bot: token === null ? null : botFingerprint(vault, token.botId) };
  });
  const tokens = opened.map(({ row, bot }) => ({
    id: shortId(row.id),
    kind: 'stored' as const,
    ...reportOf(reports, bot),
    ...(row.platform !== config.platform.kind && { state: 'other-platform' as const }),
    ...(bot === null && { state: 'unreadable' as const }),
    // Whatever the server says: it deletes the row as soon as it sees it.
    ...(withdrawn.has(row.id) && { state: 'withdrawn' as const }),
    created_day: row.created_day,
    key: row.kid,
    opens: bot !== null,
  }));
  return { tokens, bots: new Set(opened.map(({ bot }) => bot)) };
};

/** Shown even if this user may not read their file: the server uses them, but does not store them. */
const listOwn = async (
  { config: { botTokens }, openRecords }: CommandContext,
  reports: Reports,
  stored: ReadonlySet<string | null>,
) => {
  const { vault } = await openRecords();
  const named = new Set(botTokens.map(({ botId }) => botFingerprint(vault, botId)));
  const others = new Set(reports?.keys() ?? []).difference(stored);
  const describe = (bot: string) => ({
    id: shortId(bot),
    kind: 'own' as const,
    ...reportOf(reports, bot),
    created_day: null,
    key: null,
    opens: null,
  });
  return [...named.union(others)].map(describe);
};

export const list: RunCommand = async (context) => {
  const reports = await askTokens(context.config.admin);
  const { tokens: stored, bots } = await listStored(context, reports);
  const own = await listOwn(context, reports, bots);
  const tokens = [...stored, ...own];
  return {
    data: { tokens },
    lines: [
      ...table(
        ['ID', 'KIND', 'DAY', 'KEY', 'REQUESTS', 'STATE'],
        tokens.map(({ id, kind, created_day, key, requests, state, since, until, invalid }) => {
          const details = [
            since !== null && `since ${since}`,
            until !== null && `until ${until}`,
            invalid > 0 && `(${invalid} times refused or used up: its bot was reset, or is used elsewhere)`,
          ];
          return [id, kind, created_day, key, requests, [state, ...details].filter(Boolean).join(' ')];
        }),
      ),
      `${plural(stored.length, 'token')} stored, ${own.length} of your own.`,
      reports === null
        ? 'The server is not answering, so requests and states are unknown.'
        : 'Requests are counted since the server started.',
    ],
  };
};
