import { retiredOwnTokens } from '#server/donation/retire-token.ts';
import { shortId, tokenDigest, type ReportedToken } from '#server/donation/token-report.ts';
import type { Records } from '#server/open-records.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { isOfPlatform, openRow } from '#server/vault/sealed-row.ts';
import type { CommandContext, RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';
import { askTokens } from '../../running-server.ts';

/** `unknown`: only the server knows, and does not say. `other-platform`: donated to another platform, and not used. */
type State = ReportedToken['state'] | 'withdrawn' | 'unreadable' | 'other-platform' | 'unknown';

type ListedToken = Pick<ReportedToken, 'since' | 'until' | 'requests'> & {
  readonly id: string;
  readonly kind: 'stored' | 'own';
  readonly state: State;
  readonly created_day: string | null;
  readonly key: string | null;
  readonly opens: boolean | null;
};

type Reports = Awaited<ReturnType<typeof askTokens>>;

const UNUSED: Partial<ReportedToken> = { state: 'unused', requests: 0 };

/** What the server reports of a token, which may be nothing. */
const reportOf = (
  reports: Reports,
  bot: string | null,
): Pick<ListedToken, 'state' | 'since' | 'until' | 'requests'> => {
  const report = reports === null || bot === null ? {} : (reports.get(bot) ?? UNUSED);
  const { state = 'unknown', since = null, until = null, requests = null } = report;
  return { state, since, until, requests };
};

const listStored = async (
  { donatedTokens, vault, withdrawn }: Records,
  { platform }: CommandContext['config'],
  reports: Reports,
): Promise<{ readonly bots: ReadonlySet<string | null>; readonly tokens: readonly ListedToken[] }> => {
  const opened = (await donatedTokens.all()).map((row) => {
    const token = openRow(vault, row);
    return { row, bot: token === null ? null : tokenDigest(vault, token) };
  });
  const tokens = opened.map(({ row, bot }): ListedToken => ({
    id: shortId(row.id),
    kind: 'stored',
    ...reportOf(reports, bot),
    ...(!isOfPlatform(row, platform.kind) && { state: 'other-platform' }),
    ...(bot === null && { state: 'unreadable' }),
    // Whatever the server says: it deletes the row as soon as it sees it.
    ...(withdrawn.has(row.id) && { state: 'withdrawn' }),
    created_day: row.created_day,
    key: row.kid,
    opens: bot !== null,
  }));
  return { bots: new Set(opened.map(({ bot }) => bot)), tokens };
};

/** Shown even if this user may not read their file: the server uses them, but does not store them. */
const listOwn = async (
  { vault, retirements }: Records,
  { botTokens }: CommandContext['config'],
  { reports, stored }: { readonly reports: Reports; readonly stored: ReadonlySet<string | null> },
): Promise<readonly ListedToken[]> => {
  const retired = await retiredOwnTokens({ vault, retirements }, botTokens);
  const digest = (token: BotToken): string => tokenDigest(vault, token);
  const retiredSince = new Map(botTokens.map((token) => [digest(token), retired.get(token.botId)]));
  const others = new Set(reports?.keys() ?? []).difference(stored);
  const list = (bot: string): ListedToken => {
    const since = retiredSince.get(bot);
    return {
      id: shortId(bot),
      kind: 'own',
      ...reportOf(reports, bot),
      ...(reports === null && since !== undefined && { state: 'retired', since }),
      created_day: null,
      key: null,
      opens: null,
    };
  };
  return [...new Set([...botTokens.map(digest), ...others])].map(list);
};

const describeState = ({ state, since, until }: ListedToken): string =>
  [state, since !== null && `since ${since}`, until !== null && `until ${until}`].filter(Boolean).join(' ');

export const listTokens: RunCommand = async (context) => {
  const records = await context.openRecords();
  const reports = await askTokens(context.config.admin);
  const { bots, tokens: stored } = await listStored(records, context.config, reports);
  const own = await listOwn(records, context.config, { reports, stored: bots });
  const tokens = [...stored, ...own];
  return {
    data: { tokens },
    lines: [
      ...table(
        ['ID', 'KIND', 'DAY', 'KEY', 'REQUESTS', 'STATE'],
        tokens.map((token) => {
          const { id, kind, created_day, key, requests } = token;
          return [id, kind, created_day, key, requests, describeState(token)];
        }),
      ),
      `${plural(stored.length, 'token')} stored, ${own.length} of your own.`,
      reports === null
        ? 'The server is not answering, so requests and states are unknown.'
        : 'Requests are counted since the server started.',
    ],
  };
};
