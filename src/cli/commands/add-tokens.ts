import { AppError } from '#server/app-error.ts';
import { createTakeToken, type TakeToken } from '#server/donation/take-token.ts';
import { parseBotToken, type BotToken } from '#server/platform/bot-token.ts';
import { badInput, CommandError, failed, type Command, type CommandContext } from '../command.ts';

type Added = { readonly line: number } & ({ readonly receipt: string } | { readonly refused: string });

/** What keeps a token out, by the code that a donor would be told. */
const REFUSALS: Readonly<Record<string, string>> = {
  'token-known': 'it is stored already',
  'token-rejected': 'the platform does not accept it: reset it in the developer portal',
  'token-user': 'it is not the token of a bot',
  'token-in-servers': 'its bot is in servers: take one that is in none',
};

/** Lookups come first. */
const PACE_MS = 200;
const UNCLEAR = 'the platform gave no usable answer: try again later';

/** All or none of the shapes are right, before anybody is asked. */
const readTokens = async ({ terminal }: CommandContext): Promise<BotToken[]> => {
  const input = terminal.isInteractive
    ? await terminal.askSecret('Token (it is not shown): ')
    : await terminal.readInput();
  const lines = input.split('\n').map((line) => line.trim());
  const tokens = lines.flatMap((line, index) => {
    const parsed = parseBotToken(line);
    if (parsed.ok) return [parsed.token];
    if (parsed.problem === 'empty') return [];
    throw badInput(
      parsed.problem === 'user-token'
        ? `Line ${index + 1} is the token of a person: no token was added.`
        : `Line ${index + 1} is not a bot token: no token was added.`,
    );
  });
  if (tokens.length === 0) throw badInput('No token was given: pass one per line on standard input.');
  return tokens;
};

const add = async (takeToken: TakeToken, token: BotToken, line: number): Promise<Added> => {
  try {
    return { line, receipt: (await takeToken(token)).receipt };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, refused: REFUSALS[error.code] ?? UNCLEAR };
  }
};

type Attempt = { readonly results: readonly Added[]; readonly failure?: unknown };

/** A failure must not cost the receipts of those that are stored already. */
const addAll = async (context: CommandContext, tokens: readonly BotToken[]): Promise<Attempt> => {
  const { checkToken, checksPausedBecause } = context.platform();
  const records = await context.openRecords({ create: true });
  const takeToken = createTakeToken({ ...records, system: context.system, checkToken });
  const results: Added[] = [];
  try {
    for (const [index, token] of tokens.entries()) {
      context.terminal.progress(`Checking ${index + 1} of ${tokens.length}…`);
      const obstacle = checksPausedBecause();
      if (obstacle !== null) throw failed(obstacle);
      if (index > 0) await context.pause(PACE_MS);
      results.push(await add(takeToken, token, index + 1));
    }
  } catch (failure) {
    if (results.length === 0) throw failure;
    return { results, failure };
  }
  return { results };
};

const describe = (added: Added, total: number): string => {
  const subject = total === 1 ? 'The token' : `Token ${added.line}`;
  return 'receipt' in added
    ? `${subject} was added. Receipt: ${added.receipt}`
    : `${subject} was not added: ${added.refused}.`;
};

export const addTokens: Command = {
  name: 'tokens add',
  summary: 'checks and stores tokens from a prompt or from standard input, one per line',
  run: async (context) => {
    if (!context.config.tokenDonations)
      throw badInput(
        'TOKEN_DONATIONS is off, so the server uses no stored tokens: turn it on, or set BOT_TOKENS.',
      );
    const tokens = await readTokens(context);
    const { results, failure } = await addAll(context, tokens);
    const lines = results.map((result) => describe(result, tokens.length));
    const refusals = results.flatMap((result) => ('refused' in result ? [result.refused] : []));
    if (failure === undefined && refusals.length === tokens.length)
      throw new CommandError(lines.join('\n'), refusals.includes(UNCLEAR) ? 1 : 2);
    return { data: { tokens: results }, lines, exitCode: refusals.length > 0 ? 1 : 0, failure };
  },
};
