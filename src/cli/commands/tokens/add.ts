import { AppError } from '#server/app-error.ts';
import { createAcceptToken, type AcceptToken } from '#server/donation/accept-token.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import { badInput, failed, type RunCommand, type CommandContext } from '../../command.ts';

type Added = { readonly line: number; readonly receipt?: string; readonly refused?: string };

/** Why a token was not added, by the error code that a donor would get. */
const REFUSALS: Readonly<Record<string, string>> = {
  'token-known': 'it is already stored',
  'token-rejected': 'the platform rejected it: reset it in the developer portal',
  'token-user': 'it is not a bot token',
  'token-in-servers': 'its bot is in one or more servers: use one that is in none',
};

const PACE_MS = 200;
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
    throw badInput(
      parsed.problem === 'user-token'
        ? `Line ${index + 1} is a user token, not a bot token: no tokens were added.`
        : `Line ${index + 1} is not a bot token: no tokens were added.`,
    );
  });
  if (tokens.length === 0) throw badInput('No token given', 'pass one per line on standard input.');
  return tokens;
};

const add = async (acceptToken: AcceptToken, { token, line }: TypedToken): Promise<Added> => {
  try {
    return { line, receipt: (await acceptToken(token)).receipt };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, refused: REFUSALS[error.code] ?? UNCLEAR };
  }
};

/** If it fails on the way, the receipts of the tokens stored so far are still printed. */
const addAll = async (context: CommandContext, tokens: readonly TypedToken[]) => {
  const { checkToken } = await context.platform();
  const records = await context.openRecords();
  const acceptToken = createAcceptToken({ ...records, system: context.system, checkToken });
  const results: Added[] = [];
  try {
    for await (const token of context.oneByOne(tokens, PACE_MS)) results.push(await add(acceptToken, token));
  } catch (failure) {
    if (results.length === 0) throw failure;
    return { results, failure };
  }
  return { results };
};

export const addTokens: RunCommand = async (context) => {
  if (!context.config.tokenDonations)
    throw badInput(
      'TOKEN_DONATIONS is off, so the server uses no stored tokens',
      'turn it on, or set BOT_TOKENS.',
    );
  const tokens = await readTokens(context);
  const { results, failure } = await addAll(context, tokens);
  const lines = results.map(({ line, receipt, refused }) => {
    const token = tokens.length === 1 ? 'The token' : `The token on line ${line}`;
    return refused === undefined
      ? `${token} was added. Receipt: ${receipt}`
      : `${token} was not added: ${refused}.`;
  });
  const refusals = results.flatMap(({ refused = [] }) => refused);
  if (failure === undefined && refusals.length === tokens.length)
    throw (refusals.includes(UNCLEAR) ? failed : badInput)(lines.join('\n'));
  return { data: { tokens: results }, lines, state: refusals.length > 0 ? 'failed' : 'ok', failure };
};
