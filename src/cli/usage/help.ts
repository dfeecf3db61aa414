import type { Command } from '../command.ts';

const usage = ({ name, parameters = '' }: Command): string => `${name} ${parameters}`.trimEnd();

const optionLines = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(
    ([name, { type, help }]) => `  --${name}${type === 'string' ? ` <${name}>` : ''}  ${help}`,
  );

/** On some commands, or on all. `program` is what the operator typed before them. */
export const helpOn = (program: string, wanted: readonly Command[], all: readonly Command[]): string =>
  wanted.length === 0
    ? helpOnAll(program, all)
    : wanted.map((command) => helpOnOne(program, command)).join('\n');

const helpOnOne = (program: string, command: Command): string =>
  [
    `${program} ${usage(command)}`,
    `  ${command.summary}`,
    ...optionLines(command),
    ...(command.destroys === undefined ? [] : ['  It asks before it does so; --yes answers beforehand.']),
    '',
  ].join('\n');

const helpOnAll = (program: string, commands: readonly Command[]): string => {
  const width = Math.max(...commands.map((command) => usage(command).length));
  const lines = commands.flatMap((command) => [
    `  ${usage(command).padEnd(width)}  ${command.summary}`,
    ...optionLines(command).map((line) => `  ${' '.repeat(width)}${line}`),
  ]);
  return `Usage: ${program} <command> [options]

Looks after a site, also while its server runs: what is changed takes effect in it within a second.
Settings are read from the environment and from a file: that of --env-file or WHOFLAKE_ENV_FILE, else
.env, else /etc/whoflake/whoflake.env.
Run it as the user that the server runs as.

${lines.join('\n')}
  ${'help'.padEnd(width)}  this text, or help for one command or group

  --json         one JSON document on standard output; its state is ok, warning or failed${silently(program)}
  --env-file <file>
                 where the settings are
  --yes          do not ask before something is deleted; needed where nobody can be asked
  -v, --version  the version of this program

Ends with 0 if it is done, 1 if it failed or found problems, 2 if the command was wrong and nothing was
changed, 70 to 77 if keyring or records are not to be trusted, 78 if the settings are wrong, 79 if a
server is running that must not, 80 if the database is lost.
`;
};

const silently = (program: string): string =>
  program.startsWith('npm')
    ? '\n                 (npm prints lines of its own there: use npm run --silent ops -- …)'
    : '';
