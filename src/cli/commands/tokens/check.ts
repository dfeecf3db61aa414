import type { TokenVerdict } from '#server/donation/check-token.ts';
import { shortId, tokenDigest } from '#server/donation/token-report.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { isOfPlatform, openRow } from '#server/vault/sealed-row.ts';
import { failed, type CommandContext, type RunCommand } from '../../command.ts';
import { plural, table } from '../../output.ts';

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
type Askable = Candidate & { readonly token: BotToken };

const PACE_MS = 1_000;
const GIVE_UP_AFTER = 3;

const candidatesIn = async (context: CommandContext): Promise<Candidate[]> => {
  const { donatedTokens, vault } = await context.openRecords();
  const rows = (await donatedTokens.all()).filter((row) => isOfPlatform(row, context.config.platform.kind));
  return [
    ...rows.map((row): Candidate => ({ id: shortId(row.id), kind: 'stored', token: openRow(vault, row) })),
    ...context.config.botTokens.map((token): Candidate => ({
      id: shortId(tokenDigest(vault, token)),
      kind: 'own',
      token,
    })),
  ];
};

/** Resolves with the reason for stopping early, or undefined if it asked about all. */
const askAbout = async (
  context: CommandContext,
  candidates: readonly Askable[],
  onVerdict: (kind: TokenVerdict['kind'], candidate: Askable) => void,
): Promise<OperatorError | undefined> => {
  const { checkToken } = await context.platform();
  let unclearInARow = 0;
  try {
    for await (const candidate of context.oneByOne(candidates, PACE_MS)) {
      if (unclearInARow === GIVE_UP_AFTER)
        return failed(`The platform failed to answer ${GIVE_UP_AFTER} times in a row`, 'try again later.');
      const { kind } = await checkToken(candidate.token);
      unclearInARow = kind === 'unclear' ? unclearInARow + 1 : 0;
      onVerdict(kind, candidate);
    }
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
};

export const checkTokens: RunCommand = async (context) => {
  const candidates = await candidatesIn(context);
  const verdicts = new Map<Candidate, Verdict>();
  const askable = candidates.filter((one): one is Askable => one.token !== null);
  const stopped = await askAbout(context, askable, (verdict, candidate) => {
    verdicts.set(candidate, verdict);
  });
  const tokens = candidates.map((one) => {
    const verdict = verdicts.get(one) ?? (one.token === null ? 'unreadable' : 'not-asked');
    return {
      state: verdict === 'good' ? ('ok' as const) : ('failed' as const),
      id: one.id,
      kind: one.kind,
      verdict,
    };
  });
  return {
    data: { tokens, ...(stopped && { error: stopped.message }) },
    lines: [
      ...table(
        ['STATE', 'ID', 'KIND', 'VERDICT', 'MEANING'],
        tokens.map((token) => ({ ...token, meaning: MEANINGS[token.verdict] })),
      ),
      stopped !== undefined && stopped.message,
      `${plural(tokens.length, 'token')} checked.`,
    ],
    state: tokens.every(({ state }) => state === 'ok') ? 'ok' : 'failed',
  };
};
