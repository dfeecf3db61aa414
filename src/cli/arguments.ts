import { parseArgs } from 'node:util';
import type { OperatorError } from '#server/operator-error.ts';
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

const misuse = (finding: string): OperatorError => badInput(finding, 'see help.');

/** Refuses with an error that shows nothing of what was typed but the names of commands and options. */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): ParsedArguments => {
  if (argv.some((argument) => TOKEN.test(argument)))
    throw badInput(
      'A token is never taken as an argument',
      'pass it on standard input to tokens add, and clear it from your shell history, which has it now.',
    );
  const typed = argv.filter((argument) => !argument.startsWith('-'));
  const command = commandNamed(typed, commands);
  if (command === null) return withoutCommand(argv, typed, commands);
  const { flags, positionals } = parse(argv, command);
  if (flags['version'] === true) return { kind: 'version' };
  if (flags['help'] === true) return { kind: 'help', command };
  const words = positionals.slice(command.name.split(' ').length);
  const parameters = command.parameters?.split(' ') ?? [];
  const needed = parameters.filter((parameter) => !parameter.startsWith('['));
  if (words.length < needed.length || words.length > parameters.length)
    throw misuse(`${command.name} takes ${command.parameters ?? 'no further words'}`);
  return { kind: 'run', command, input: { words, flags } };
};

/** The longest name that fits is meant. */
const commandNamed = (typed: readonly string[], commands: readonly Command[]): Command | null =>
  [typed.slice(0, 2).join(' '), typed[0]]
    .map((name) => commands.find((candidate) => candidate.name === name))
    .find((command) => command !== undefined) ?? null;

const withoutCommand = (
  argv: readonly string[],
  [first, ...others]: readonly string[],
  commands: readonly Command[],
): ParsedArguments => {
  if (first === 'help') return { kind: 'help', command: commandNamed(others, commands) };
  if (first !== undefined) throw unknownCommand(first, commands);
  const known = new Set(['-h', ...Object.keys(COMMON).map((name) => `--${name}`)]);
  if (!argv.every((argument) => known.has(argument))) throw misuse('There is no such option');
  return argv.includes('--version') ? { kind: 'version' } : { kind: 'help', command: null };
};

const unknownCommand = (first: string, commands: readonly Command[]): OperatorError => {
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0)
    return misuse(`${first} takes one of ${family.map(({ name }) => name.split(' ')[1]).join(', ')}`);
  return misuse(/^[a-z-]{1,20}$/.test(first) ? `There is no command ${first}` : 'There is no such command');
};

const parse = (argv: readonly string[], { name, options }: Command) => {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...COMMON, ...options },
      allowPositionals: true,
    });
    return { flags: values as CommandInput['flags'], positionals };
  } catch (error) {
    throw misuse(
      (error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
        ? `${name} has no such option`
        : `${name} has an option without its value, or with one that it does not take`,
    );
  }
};
