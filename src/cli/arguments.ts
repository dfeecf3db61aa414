import { parseArgs } from 'node:util';
import { badInput, type Command, type CommandInput } from './command.ts';

export type ParsedArguments =
  | { readonly kind: 'help'; readonly command: Command | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

const COMMON = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Three dotted parts as in a token, wherever they stand. */
const TOKEN = /[\w-]{18,}\.[\w-]{5,}\.[\w-]{20,}|mfa\.[\w-]{20,}/;

/** Throws a `CommandError` that shows nothing of what was typed but the names of commands and options. */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): ParsedArguments => {
  if (argv.some((argument) => TOKEN.test(argument)))
    throw badInput(
      'A token is never taken as an argument: pass it on standard input to tokens add, and clear it from your shell history, which has it now.',
    );
  const command = findCommand(argv, commands);
  if (command === null) return withoutCommand(argv, commands);
  const { values, positionals } = parse(argv, command);
  if (values['version'] === true) return { kind: 'version' };
  if (values['help'] === true) return { kind: 'help', command };
  const words = positionals.slice(command.name.split(' ').length);
  const [min, max] = wordCounts(command);
  if (words.length < min || words.length > max)
    throw badInput(`${command.name} takes ${command.parameters ?? 'no further words'}; see help.`);
  return { kind: 'run', command, input: { words, flags: values } };
};

/** The longest name that fits is meant. */
const commandNamed = (words: readonly string[], commands: readonly Command[]): Command | null =>
  [words.slice(0, 2).join(' '), words[0]]
    .map((name) => commands.find((candidate) => candidate.name === name))
    .find((command) => command !== undefined) ?? null;

const findCommand = (argv: readonly string[], commands: readonly Command[]): Command | null => {
  const words = wordsOf(argv);
  const command = commandNamed(words, commands);
  if (command !== null) return command;
  const [first] = words;
  if (first === undefined || first === 'help') return null;
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0)
    throw badInput(
      `${first} takes one of ${family.map(({ name }) => name.split(' ')[1]).join(', ')}; see help.`,
    );
  throw badInput(
    /^[a-z-]{1,20}$/.test(first)
      ? `There is no command ${first}; see help.`
      : 'There is no such command; see help.',
  );
};

const wordsOf = (argv: readonly string[]): string[] => argv.filter((argument) => !argument.startsWith('-'));

const withoutCommand = (argv: readonly string[], commands: readonly Command[]): ParsedArguments => {
  const [first, ...others] = wordsOf(argv);
  const known = new Set(['help', '-h', ...Object.keys(COMMON).map((name) => `--${name}`)]);
  if (!argv.every((argument) => known.has(argument) || first === 'help'))
    throw badInput('There is no such option; see help.');
  return argv.includes('--version')
    ? { kind: 'version' }
    : { kind: 'help', command: commandNamed(others, commands) };
};

type Values = Record<string, string | boolean | undefined>;

const parse = (argv: readonly string[], { name, options }: Command) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...COMMON, ...options },
      allowPositionals: true,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? 'has no such option'
        : 'has an option without its value, or with one that it does not take';
    throw badInput(`${name} ${problem}; see help.`);
  }
};

const wordCounts = ({ parameters = '' }: Command): readonly [min: number, max: number] => {
  const words = parameters.split(' ').filter((word) => word !== '');
  return [words.filter((word) => !word.startsWith('[')).length, words.length];
};
