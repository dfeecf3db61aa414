import { AppError } from '#server/app-error.ts';
import { createAcceptToken, type AcceptToken } from '#server/donation/accept-token.ts';
import { shortId } from '#server/donation/token-report.ts';
import type { Records } from '#server/open-records.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import { tokenFingerprint } from '#server/vault/donated-tokens.ts';
import type { RunCommand, CommandContext } from '../../command.ts';
import { badInput, failed } from '../../failure.ts';

const REFUSALS: Readonly<Record<string, string>> = {
  'token-rejected': 'the platform rejected it: reset it in the developer portal',
  'token-user': 'it is not a bot token',
  'token-in-servers': 'its bot is in one or more servers: use one that is in none',
};

/** Leaves most of the rate limit to lookups. */
const PACE_MS = 1_000;
const UNCLEAR = 'the platform is not answering properly: try again later';

type TypedToken = { readonly line: number; readonly token: BotToken };

/** Refuses the whole input if any line is malformed, before the platform is asked. */
const readTokens = async ({ terminal }: CommandContext): Promise<TypedToken[]> => {
  const input = terminal.isInteractive
    ? await terminal.askSecret('Token (hidden): ')
    : await terminal.readInput();
  const lines = input.split('\n').map((line) => line.trim());
  const tokens = lines.flatMap((line, index) => {
    const parsed = parseBotToken(line);
    if (parsed.ok) return [{ line: index + 1, token: parsed.token }];
    if (parsed.problem === 'empty') return [];
    const what = parsed.problem === 'user-token' ? 'a user token, not a bot token' : 'not a bot token';
    throw badInput(`Line ${index + 1} is ${what}: no tokens were added.`);
  });
  if (tokens.length === 0) throw badInput('No token given', 'pass one per line on standard input.');
  return tokens;
};

const addOne = async (
  acceptToken: AcceptToken,
  { donatedTokens, vault }: Records,
  { token, line }: TypedToken,
) => {
  const result = { line, id: null, receipt: null, refused: null };
  try {
    const { id, receipt } = await acceptToken(token);
    return { ...result, outcome: 'added', id: shortId(id), receipt } as const;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'token-known')
      return { ...result, outcome: 'refused', refused: REFUSALS[error.code] ?? UNCLEAR } as const;
    const row = await donatedTokens.find('fingerprint', tokenFingerprint(vault, token));
    return { ...result, outcome: 'already-stored', id: row ? shortId(row.id) : null } as const;
  }
};

/** If it fails on the way, the receipts of the tokens stored so far are still printed. */
const addAll = async (context: CommandContext, tokens: readonly TypedToken[]) => {
  const { checkToken } = await context.platform();
  const records = await context.openRecords();
  const acceptToken = createAcceptToken({
    ...records,
    system: context.system,
    checkToken,
    platformKind: context.config.platform.kind,
  });
  const results: Awaited<ReturnType<typeof addOne>>[] = [];
  try {
    for (const [index, token] of tokens.entries()) {
      context.terminal.progress(`Checking ${index + 1} of ${tokens.length}…`);
      if (index > 0) await context.pause(PACE_MS);
      results.push(await addOne(acceptToken, records, token));
    }
  } catch (failure) {
    if (results.length === 0) throw failure;
    return { results, failure };
  }
  return { results };
};

export const add: RunCommand = async (context) => {
  if (!context.config.tokenDonations)
    throw badInput(
      'TOKEN_DONATIONS is off, so the server uses no stored tokens',
      'turn it on, or set BOT_TOKENS.',
    );
  // Do not ask for a token that could not be stored.
  await context.openRecords();
  const tokens = await readTokens(context);
  const { results, failure } = await addAll(context, tokens);
  const lines = results.map(({ line, outcome, id, receipt, refused }) => {
    const token = tokens.length === 1 ? 'The token' : `The token on line ${line}`;
    if (outcome === 'refused') return `${token} was not added: ${refused}.`;
    return outcome === 'added'
      ? `${token} was added as ${id}. Receipt: ${receipt}`
      : `${token} is already stored as ${id}.`;
  });
  const refusals = results.flatMap(({ refused }) => refused ?? []);
  if (failure === undefined && refusals.length === tokens.length)
    throw (refusals.includes(UNCLEAR) ? failed : badInput)(lines.join('\n'));
  return { data: { tokens: results }, lines, state: refusals.length > 0 ? 'failed' : 'ok', failure };
};
