import type { Command } from '../command.ts';

const usage = ({ name, parameters }: Command): string => [name, ...parameters].join(' ');

const optionLines = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(
    ([name, { value, help }]) => `  --${name}${value === undefined ? '' : ` <${value}>`}  ${help}`,
  );

export const helpOn = (program: string, wanted: readonly Command[], all: readonly Command[]): string =>
  wanted.length === 0
    ? helpOnAll(program, all)
    : wanted.map((command) => helpOnOne(program, command)).join('\n');

const helpOnOne = (program: string, command: Command): string =>
  [
    `${program} ${usage(command)}`,
    `  ${command.summary}`,
    ...optionLines(command),
    ...(command.destroys === undefined ? [] : ['  Asks for confirmation first; --yes skips that.']),
    '',
  ].join('\n');

/** One line for each group: all of it fits on a small screen. */
const helpOnAll = (program: string, commands: readonly Command[]): string => {
  const shown = commands.filter(({ isHidden }) => isHidden !== true);
  const groups = Map.groupBy(shown, ({ name }) => name.split(' ')[0] ?? '');
  const lines = [...groups].map(([group, members]) => {
    const [first] = members;
    const words = members.flatMap(({ name }) => name.split(' ').slice(1));
    return `  ${group.padEnd(10)} ${words.length === 0 ? (first?.summary ?? '') : words.join(', ')}`;
  });
  return `Usage: ${program} <command> [options]; ${program} help <command or group> says more.
Manages a site, even while its server runs. Run it as the server's user.

${lines.join('\n')}

  --json  one JSON document   --yes  no questions   --env-file <file>  the settings
Settings: --env-file or WHOFLAKE_ENV_FILE, else .env beside this program, else
/etc/whoflake/whoflake.env. Exit codes: docs/operations.md.${silently(program)}
`;
};

const silently = (program: string): string =>
  program.startsWith('npm') ? '\nnpm adds lines of its own: use npm run --silent ops -- …' : '';
