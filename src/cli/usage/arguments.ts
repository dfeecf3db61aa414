import { parseArgs } from 'node:util';
import type { OperatorError } from '#server/operator-error.ts';
import type { Command, CommandInput } from '../command.ts';
import { badInput } from '../failure.ts';
import { nearest } from './nearest.ts';

type ParsedArguments =
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

/** Of every command; `yes` has an effect only on those that destroy something. */
const COMMON: NonNullable<Command['options']> = {
  yes: { type: 'boolean', help: 'do not ask' },
  'env-file': { type: 'string', help: 'where the settings are' },
  help: { type: 'boolean', short: 'h', help: 'help for this command' },
  version: { type: 'boolean', short: 'v', help: 'the version of this program' },
};

/** For a look at the arguments before it is known what may be among them. */
const LOOSE = { options: COMMON, allowPositionals: true, strict: false } as const;

export const envFileIn = (argv: readonly string[]): string | undefined => {
  const { values } = parseArgs({ args: [...argv], ...LOOSE });
  return typeof values['env-file'] === 'string' ? values['env-file'] : undefined;
};

/** What looks like a token (three parts joined by dots, or `mfa.…`), anywhere in an argument. */
const TOKEN = /[\w-]{18,}\.[\w-]{5,}\.[\w-]{20,}|mfa\.[\w-]{20,}/;

const misuse = (finding: string): OperatorError => badInput(finding, 'see help.');

/** Its errors quote only short words without digits from the input: anything else may be a secret. */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): ParsedArguments => {
  if (argv.some((argument) => TOKEN.test(argument)))
    throw badInput(
      'Tokens are not accepted as arguments',
      'pass it to tokens add on standard input, and delete it from your shell history.',
    );
  const { positionals: typed } = parseArgs({ args: [...argv], ...LOOSE });
  const isHelp = typed[0] === 'help';
  const { command, wanted } = findCommands(isHelp ? typed.slice(1) : typed, commands);
  const { flags, positionals } = parse(argv, command);
  if (flags['version'] === true) return { kind: 'version' };
  if (command === undefined || isHelp || flags['help'] === true) return { kind: 'help', commands: wanted };
  return { kind: 'run', command, input: { words: wordsFor(command, positionals), flags } };
};

const findCommands = ([first = '', second = '']: readonly string[], commands: readonly Command[]) => {
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (command === undefined && first !== '' && (group.length === 0 || second !== ''))
    throw unknown(`${first} ${second}`.trim(), commands);
  return { command, wanted: command === undefined ? group : [command] };
};

const wordsFor = ({ name, parameters }: Command, positionals: readonly string[]): readonly string[] => {
  const words = positionals.slice(name.split(' ').length);
  const needed = parameters.filter((parameter) => !parameter.startsWith('['));
  if (words.length >= needed.length && words.length <= parameters.length) return words;
  throw misuse(`${name} takes ${parameters.join(' ') || 'no arguments'}`);
};

const unknown = (typed: string, commands: readonly Command[]): OperatorError => {
  if (!/^[a-z-]{1,20}(?: [a-z-]{1,20})?$/i.test(typed)) return misuse('Unknown command');
  const names = commands.flatMap(({ name }) => [name, name.split(' ')[0] ?? '']);
  const meant = nearest(typed, names);
  return misuse(`Unknown command ${typed}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`);
};

const parse = (argv: readonly string[], command: Command | undefined) => {
  const options = { ...COMMON, ...command?.options };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { flags: values as CommandInput['flags'], positionals };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS_')) throw error;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw misuse(
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `Unknown option: ${command?.name ?? 'ops'} has ${known.join(', ')}`
        : `An option of ${command?.name ?? 'ops'} is missing its value, or has one it should not have`,
    );
  }
};

export const helpOn = (program: string, wanted: readonly Command[], all: readonly Command[]): string =>
  wanted.length === 0
    ? helpOnAll(program, all)
    : wanted.map((command) => helpOnOne(program, command)).join('\n\n');

const helpOnOne = (program: string, { name, parameters, summary, options = {}, destroys }: Command): string =>
  [
    [program, name, ...parameters].join(' '),
    `  ${summary}`,
    ...Object.entries(options).map(
      ([option, { type, help }]) => `  --${option}${type === 'string' ? ' <…>' : ''}  ${help}`,
    ),
    ...(destroys === undefined ? [] : ['  Asks for confirmation first; --yes skips that.']),
  ].join('\n');

/** One line for each group: all of it fits on a small screen. */
const helpOnAll = (program: string, commands: readonly Command[]): string => {
  const shown = commands.filter(({ isHidden }) => isHidden !== true);
  const groups = Map.groupBy(shown, ({ name }) => name.split(' ')[0] ?? '');
  const lines = [...groups].map(([group, members]) => {
    const words = members.flatMap(({ name }) => name.split(' ').slice(1));
    return `  ${group.padEnd(10)} ${words.join(', ') || members[0]?.summary}`;
  });
  return `Usage: ${program} <command> [options]; ${program} help <command or group> says more.
Manages a site, even while its server runs. Run it as the server's user.

${lines.join('\n')}

  --json  one JSON document   --yes  no questions   --env-file <file>  the settings
Settings: --env-file or WHOFLAKE_ENV_FILE, else .env beside this program, else
/etc/whoflake/whoflake.env. Exit codes: docs/operations.md.${silently(program)}`;
};

const silently = (program: string): string =>
  program.startsWith('npm') ? '\nnpm adds lines of its own: use npm run --silent ops -- …' : '';
