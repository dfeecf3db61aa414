import type { TokenVerdict } from '#server/donation/check-token.ts';
import { createRetireToken } from '#server/donation/retire-token.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import { failed, type RunCommand, type CommandContext } from '../../command.ts';
import { plural, table } from '../../output.ts';

type Verdict = TokenVerdict['kind'] | 'unreadable' | 'not-asked';

const MEANINGS: Readonly<Record<Verdict, string>> = {
  good: 'works',
  rejected: 'the platform does not accept it',
  'not-a-bot': 'belongs to no bot, or to another',
  'in-servers': 'its bot is in servers',
  unclear: 'the platform gave no usable answer',
  unreadable: 'does not open: altered, or its key is gone',
  'not-asked': 'not asked about, for the reason below',
};

const PACE_MS = 1_000;
const GIVE_UP_AFTER = 3;

/** Resolves with why it asks no more, or undefined if it asked about all. */
const askAbout = async (
  context: CommandContext,
  tokens: readonly BotToken[],
  onVerdict: (kind: TokenVerdict['kind'], token: BotToken) => Promise<void>,
): Promise<OperatorError | undefined> => {
  const { checkToken } = await context.platform();
  let unclearInARow = 0;
  try {
    for await (const token of context.oneByOne(tokens, PACE_MS)) {
      if (unclearInARow === GIVE_UP_AFTER)
        return failed(
          `The platform gave no usable answer ${GIVE_UP_AFTER} times in a row`,
          'try again later.',
        );
      const { kind } = await checkToken(token);
      unclearInARow = kind === 'unclear' ? unclearInARow + 1 : 0;
      await onVerdict(kind, token);
    }
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
};

export const checkTokens: RunCommand = async (context, { flags }) => {
  const { donatedTokens, vault, retirements } = await context.openRecords();
  const { clock } = context.system;
  const retireToken = createRetireToken({ clock, vault, donatedTokens, retirements });
  const rows = await donatedTokens.all();
  const opened = rows.flatMap((row) => openRow(vault, row) ?? []);
  const verdicts: Verdict[] = rows.slice(opened.length).map(() => 'unreadable');
  let retired = 0;
  const obstacle = await askAbout(context, opened, async (verdict, token) => {
    verdicts.push(verdict);
    if (verdict !== 'rejected' || flags['retire'] !== true) return;
    await retireToken(token);
    retired += 1;
  });
  verdicts.push(...rows.slice(verdicts.length).map((): Verdict => 'not-asked'));
  const counts = [...Map.groupBy(verdicts, (verdict) => verdict)].map(
    ([verdict, all]) => [verdict, all.length] as const,
  );
  return {
    data: {
      tokens: rows.length,
      ...Object.fromEntries(counts),
      retired,
      reason: obstacle?.message,
    },
    lines: [
      ...table(
        ['TOKENS', 'VERDICT', 'MEANING'],
        counts.map(([verdict, count]) => [count, verdict, MEANINGS[verdict]]),
      ),
      obstacle !== undefined && obstacle.message,
      `${plural(rows.length, 'token')} stored, ${retired} of them deleted.`,
    ],
    state: verdicts.every((verdict) => verdict === 'good') ? 'ok' : 'failed',
  };
};
