import type { TokenVerdict } from '#server/donation/accept-token.ts';
import { shortId } from '#server/donation/token-report.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { botFingerprint, openRow } from '#server/vault/donated-tokens.ts';
import type { CommandContext, RunCommand } from '../../command.ts';
import { failed } from '../../refusals.ts';
import { plural, table, worstOf } from '../../output.ts';

type Verdict = TokenVerdict['kind'] | 'unreadable' | 'not-asked';

const MEANINGS: Readonly<Record<Verdict, string>> = {
  good: 'works',
  rejected: 'the platform rejects it',
  'not-a-bot': 'not a bot token, or for a different bot',
  'in-servers': 'its bot is in one or more servers',
  unclear: 'the platform is not answering properly',
  unreadable: 'cannot be opened: altered, or its key is gone',
  'not-asked': 'not checked, for the reason below',
};

/** Null if the row does not open. */
type Candidate = { readonly id: string; readonly kind: 'stored' | 'own'; readonly token: BotToken | null };

const GIVE_UP_AFTER = 3;

const candidatesIn = async (context: CommandContext): Promise<Candidate[]> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = (await donatedTokens.all()).filter(
    ({ platform }) => platform === context.config.platform.kind,
  );
  return [
    ...rows.map((row): Candidate => ({ id: shortId(row.id), kind: 'stored', token: openRow(vault, row) })),
    ...context.config.botTokens.map((token): Candidate => ({
      id: shortId(botFingerprint(vault, token.botId)),
      kind: 'own',
      token,
    })),
  ];
};

const askAbout = async (context: CommandContext, tokens: readonly BotToken[]) => {
  const { checkToken } = await context.platform();
  const verdicts = new Map<BotToken, Verdict>();
  try {
    for await (const token of context.oneByOne(tokens)) {
      const last = [...verdicts.values()].slice(-GIVE_UP_AFTER);
      if (last.length === GIVE_UP_AFTER && last.every((verdict) => verdict === 'unclear'))
        throw failed(`The platform failed to answer ${GIVE_UP_AFTER} times in a row`, 'try again later.');
      verdicts.set(token, (await checkToken(token)).kind);
    }
    return { verdicts };
  } catch (error) {
    if (error instanceof OperatorError) return { verdicts, stopped: error.message };
    throw error;
  }
};

export const checkTokens: RunCommand = async (context) => {
  const candidates = await candidatesIn(context);
  const { verdicts, stopped } = await askAbout(
    context,
    candidates.flatMap(({ token }) => token ?? []),
  );
  const tokens = candidates.map(({ id, kind, token }) => {
    const verdict = token === null ? 'unreadable' : (verdicts.get(token) ?? 'not-asked');
    return { state: verdict === 'good' ? ('ok' as const) : ('failed' as const), id, kind, verdict };
  });
  return {
    data: { tokens, ...(stopped !== undefined && { error: stopped }) },
    lines: [
      ...table(
        ['STATE', 'ID', 'KIND', 'VERDICT', 'MEANING'],
        tokens.map((token) => ({ ...token, meaning: MEANINGS[token.verdict] })),
      ),
      stopped ?? false,
      `${plural(tokens.length, 'token')} checked.`,
    ],
    state: worstOf(tokens.map(({ state }) => state)),
  };
};
