import { EXIT_CODES } from '#server/operator-error.ts';
import type { Command } from '../command.ts';

const usage = ({ name, parameters }: Command): string => [name, ...parameters].join(' ');

const optionLines = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(
    ([name, { value, help }]) => `  --${name}${value === undefined ? '' : ` <${value}>`}  ${help}`,
  );

/** On the wanted commands; on all if none is named. `program` is what the operator typed before them. */
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

const helpOnAll = (program: string, commands: readonly Command[]): string => {
  const width = Math.max(...commands.map((command) => usage(command).length));
  const lines = commands.flatMap((command) => [
    `  ${usage(command).padEnd(width)}  ${command.summary}`,
    ...optionLines(command).map((line) => `  ${' '.repeat(width)}${line}`),
  ]);
  return `Usage: ${program} <command> [options]

Manages a site, even while its server runs: changes take effect within a second.
Settings come from the environment and from a file: --env-file or WHOFLAKE_ENV_FILE if given, else
.env beside this program, else /etc/whoflake/whoflake.env. config check says which one it is.
Run it as the same user as the server.

${lines.join('\n')}
  ${'help'.padEnd(width)}  this text, or help for one command or group

  --json         print one JSON document; its state is ok, warning or failed${silently(program)}
  --env-file <file>
                 read the settings from this file
  --yes          skip confirmation; required outside a terminal
  -v, --version  show the version

Exit codes:
${EXIT_LINES.join('\n')}
`;
};

const EXIT_LINES = Object.values(EXIT_CODES).map(
  ({ code, meaning }) => `  ${String(code).padEnd(2)}  ${meaning}`,
);

const silently = (program: string): string =>
  program.startsWith('npm')
    ? '\n                 (npm adds lines of its own: use npm run --silent ops -- …)'
    : '';
