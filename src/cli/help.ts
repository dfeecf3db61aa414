import type { Command } from './command.ts';

const usage = ({ name, parameters = '' }: Command): string => `${name} ${parameters}`.trimEnd();

const optionLines = ({ options = {} }: Command): string[] =>
  Object.entries(options).map(
    ([name, { type, help }]) => `  --${name}${type === 'string' ? ` <${name}>` : ''}  ${help}`,
  );

export const helpOn = (command: Command): string =>
  [
    `npm run ops -- ${usage(command)}`,
    `  ${command.summary}`,
    ...optionLines(command),
    ...(command.destroys === undefined ? [] : ['  It asks before it does so; --yes answers beforehand.']),
    '',
  ].join('\n');

export const helpOnAll = (commands: readonly Command[]): string => {
  const width = Math.max(...commands.map((command) => usage(command).length));
  const lines = commands.flatMap((command) => [
    `  ${usage(command).padEnd(width)}  ${command.summary}`,
    ...optionLines(command).map((line) => `  ${' '.repeat(width)}${line}`),
  ]);
  return `Usage: npm run ops -- <command> [options]

Looks after a site, also while its server runs: what is changed takes effect in it within a second.
Settings are read from the environment and from .env, as the server reads them.
Run it as the user that the server runs as.

${lines.join('\n')}
  ${'help'.padEnd(width)}  this text; before a command, that command alone, as --help after it

  --json     one JSON document on standard output, {"error": …} if it failed
             (npm prints lines of its own there: use npm run --silent ops -- …)
  --yes      do not ask before something is destroyed; needed where nobody can be asked
  --version  the version of this program

Ends with 0 if it is done, 1 if it failed or found problems, 2 if the command was wrong and nothing was
changed, 70 to 77 if keyring or records are not to be trusted, 78 if the settings are wrong, 79 if a
server is running that must not, 80 if the database is lost.
`;
};
