import { parseArgs } from 'node:util';
import type { OperatorError } from '#server/operator-error.ts';
import { badInput, type Command, type CommandInput } from '../command.ts';
import { nearest } from './nearest.ts';

export type ParsedArguments =
  /** Help on these commands, or on all of them if the list is empty. */
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

const COMMON = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

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
  const typed = argv.filter((argument) => !argument.startsWith('-'));
  const command = commandNamed(typed, commands);
  if (command === null) return withoutCommand(argv, typed, commands);
  const { flags, positionals } = parse(argv, command);
  if (flags['version'] === true) return { kind: 'version' };
  if (flags['help'] === true) return { kind: 'help', commands: [command] };
  const words = positionals.slice(command.name.split(' ').length);
  const { parameters } = command;
  const needed = parameters.filter((parameter) => !parameter.startsWith('['));
  if (words.length < needed.length || words.length > parameters.length)
    throw misuse(`${command.name} takes ${parameters.join(' ') || 'no arguments'}`);
  return { kind: 'run', command, input: { words, flags } };
};

/** The longest name that matches. */
const commandNamed = (typed: readonly string[], commands: readonly Command[]): Command | null =>
  [typed.slice(0, 2).join(' '), typed[0]]
    .map((name) => commands.find((candidate) => candidate.name === name))
    .find((command) => command !== undefined) ?? null;

/** All commands whose name begins with this word, such as `vanity`. */
const groupNamed = (first: string | undefined, commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${first} `));

const withoutCommand = (
  argv: readonly string[],
  typed: readonly string[],
  commands: readonly Command[],
): ParsedArguments => {
  const words = typed[0] === 'help' ? typed.slice(1) : typed;
  if (words.length === 0) return optionsAlone(argv);
  const command = commandNamed(words, commands);
  const wanted = command === null ? groupNamed(words[0], commands) : [command];
  const asksForHelp = typed[0] === 'help' || argv.includes('--help') || argv.includes('-h');
  if (wanted.length > 0 && (asksForHelp || words.length === 1)) return { kind: 'help', commands: wanted };
  throw unknownCommand(words, commands);
};

const optionsAlone = (argv: readonly string[]): ParsedArguments => {
  const known = ['-h', '-v', ...Object.keys(COMMON).map((name) => `--${name}`)];
  const unknown = argv.find((argument) => argument.startsWith('-') && !known.includes(argument));
  if (unknown !== undefined) throw unknownOption(unknown, known);
  const asksForVersion = argv.includes('--version') || argv.includes('-v');
  return asksForVersion ? { kind: 'version' } : { kind: 'help', commands: [] };
};

const isSafeToQuote = (word: string): boolean => /^-{0,2}[a-z][a-z-]{0,19}$/i.test(word);

const suggestion = (word: string, candidates: readonly string[]): string => {
  const meant = nearest(word, candidates);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
};

const unknownCommand = (
  [first = '', second]: readonly string[],
  commands: readonly Command[],
): OperatorError => {
  const group = groupNamed(first, commands).map(({ name }) => name.split(' ')[1] ?? '');
  const [word, names] =
    group.length > 0 && second !== undefined
      ? [second, group]
      : [first, commands.map(({ name }) => name.split(' ')[0] ?? '')];
  if (!isSafeToQuote(word)) return misuse('Unknown command');
  const typed = word === first ? first : `${first} ${word}`;
  return misuse(`Unknown command ${typed}${suggestion(word, names)}`);
};

const unknownOption = (typed: string, known: readonly string[]): OperatorError => {
  const [option = ''] = typed.split('=');
  return misuse(
    isSafeToQuote(option) ? `Unknown option ${option}${suggestion(option, known)}` : 'Unknown option',
  );
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
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS_')) throw error;
    const known = Object.keys({ ...COMMON, ...options }).map((option) => `--${option}`);
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const isKnown = (argument: string) => known.includes(argument.split('=')[0] ?? '');
      const typed = argv.find((argument) => argument.startsWith('-') && !isKnown(argument));
      throw unknownOption(typed ?? '', known);
    }
    throw misuse(`An option of ${name} is missing its value, or has one it should not have`);
  }
};
