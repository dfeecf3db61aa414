import type { TokenVerdict } from '#server/donation/check-token.ts';
import { createRetireToken } from '#server/donation/retire-token.ts';
import type { BotToken } from '#server/platform/bot-token.ts';
import { openRow } from '#server/vault/sealed-row.ts';
import type { Command, CommandContext } from '../command.ts';
import { plural, table } from '../output.ts';

type Count = TokenVerdict['kind'] | 'unreadable' | 'not-asked';

const MEANINGS: Readonly<Record<Count, string>> = {
  good: 'works',
  rejected: 'the platform does not accept it',
  'not-a-bot': 'belongs to no bot, or to another',
  'in-servers': 'its bot is in servers',
  unclear: 'the platform gave no usable answer',
  unreadable: 'does not open: altered, or its key is gone',
  'not-asked': 'not asked about, for the reason below',
};

/** Lookups come first. */
const PACE_MS = 1_000;
const GIVE_UP_AFTER = 3;

type GentleCheck = {
  readonly ask: (token: BotToken | null) => Promise<Count>;
  /** Why it asks no more, as a sentence, or null. */
  readonly obstacle: () => string | null;
};

/** Asks at a gentle pace, and no more once the platform seems to be gone or may take offence. */
const createGentleCheck = ({ platform, pause }: CommandContext): GentleCheck => {
  const { checkToken, checksPausedBecause } = platform();
  let asked = 0;
  let unclearInARow = 0;
  const obstacle = (): string | null =>
    checksPausedBecause() ??
    (unclearInARow >= GIVE_UP_AFTER
      ? `The platform gave no usable answer ${GIVE_UP_AFTER} times in a row: try again later.`
      : null);
  const ask = async (token: BotToken | null): Promise<Count> => {
    if (token === null) return 'unreadable';
    if (obstacle() !== null) return 'not-asked';
    if (asked > 0) await pause(PACE_MS);
    asked += 1;
    const { kind } = await checkToken(token);
    unclearInARow = kind === 'unclear' ? unclearInARow + 1 : 0;
    return kind;
  };
  return { ask, obstacle };
};

export const checkTokens: Command = {
  name: 'tokens check',
  summary: 'asks the platform about every stored token, one a second',
  options: { retire: { type: 'boolean', help: 'delete the tokens that the platform does not accept' } },
  destroys: ({ flags }) =>
    flags['retire'] === true ? 'delete the tokens that the platform does not accept' : null,
  run: async (context, { flags }) => {
    const { donatedTokens, vault, retirements } = await context.openRecords();
    const { clock } = context.system;
    const retireToken = createRetireToken({ clock, vault, donatedTokens, retirements });
    const { ask, obstacle } = createGentleCheck(context);
    const rows = await donatedTokens.all();
    const counts = new Map<Count, number>();
    let retired = 0;
    for (const [index, row] of rows.entries()) {
      context.terminal.progress(`Checking ${index + 1} of ${rows.length}…`);
      const token = openRow(vault, row);
      const kind = await ask(token);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (token === null || kind !== 'rejected' || flags['retire'] !== true) continue;
      await retireToken(token);
      retired += 1;
    }
    const reason = counts.has('not-asked') ? obstacle() : null;
    return {
      data: {
        tokens: rows.length,
        ...Object.fromEntries(counts),
        retired,
        ...(reason !== null && { reason }),
      },
      lines: [
        ...table(
          ['TOKENS', 'VERDICT', 'MEANING'],
          [...counts].map(([kind, count]) => [count, kind, MEANINGS[kind]]),
        ),
        ...(reason === null ? [] : [reason]),
        `${plural(rows.length, 'token')} stored, ${retired} of them deleted.`,
      ],
      exitCode: [...counts.keys()].every((kind) => kind === 'good') ? 0 : 1,
    };
  },
};
