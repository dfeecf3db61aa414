import { parseArgs } from 'node:util';
import type { OperatorError } from '#server/operator-error.ts';
import type { Command, CommandInput } from '../command.ts';
import { badInput } from '../refusals.ts';
import { nearest } from './nearest.ts';

type ParsedArguments =
  | { readonly kind: 'help'; readonly commands: readonly Command[] }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput };

/** Of every command; `yes` has an effect only on those that destroy something. */
export const COMMON: NonNullable<Command['options']> = {
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

const refuseTokens = (argv: readonly string[]): void => {
  if (argv.some((argument) => TOKEN.test(argument)))
    throw badInput(
      'Tokens are not accepted as arguments',
      'pass it to tokens add on standard input, and delete it from your shell history.',
    );
};

/** Its errors quote only short words without digits from the input: anything else may be a secret. */
export const parseArguments = (argv: readonly string[], commands: readonly Command[]): ParsedArguments => {
  refuseTokens(argv);
  const { positionals: typed } = parseArgs({ args: [...argv], ...LOOSE });
  const isHelp = typed[0] === 'help';
  const words = isHelp ? typed.slice(1) : typed;
  const { command, wanted } = findCommands(words, commands);
  const { flags, positionals } = parse(argv, command);
  if (flags['version'] === true) return { kind: 'version' };
  if (isHelp || flags['help'] === true) return { kind: 'help', commands: wanted };
  if (command !== undefined) return { kind: 'run', command, input: inputOf(command, flags, positionals) };
  if (words.length > 1) throw unknown(`command ${words[0]}`, words[1] ?? '', wordsOf(wanted, 1));
  return { kind: 'help', commands: wanted };
};

const findCommands = ([first = '', second = '']: readonly string[], commands: readonly Command[]) => {
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const wanted = command === undefined ? group : [command];
  if (first !== '' && wanted.length === 0) throw unknown('command', first, wordsOf(commands, 0));
  return { command, wanted };
};

const inputOf = (
  { name, parameters }: Command,
  flags: CommandInput['flags'],
  positionals: readonly string[],
): CommandInput => {
  const words = positionals.slice(name.split(' ').length);
  const needed = parameters.filter((parameter) => !parameter.startsWith('['));
  if (words.length < needed.length || words.length > parameters.length)
    throw misuse(`${name} takes ${parameters.join(' ') || 'no arguments'}`);
  return { words, flags };
};

const isSafeToQuote = (word: string): boolean => /^-{0,2}[a-z][a-z-]{0,19}$/i.test(word);

const unknown = (what: string, word: string, known: readonly string[]): OperatorError => {
  if (!isSafeToQuote(word)) return misuse(`Unknown ${what}`);
  const meant = nearest(word, known);
  return misuse(`Unknown ${what} ${word}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`);
};

const wordsOf = (commands: readonly Command[], at: number): string[] =>
  commands.map(({ name }) => name.split(' ')[at] ?? '');

const parse = (argv: readonly string[], command: Command | undefined) => {
  const options = { ...COMMON, ...command?.options };
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { flags: values as CommandInput['flags'], positionals };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('ERR_PARSE_ARGS_')) throw error;
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw misuse(
        `An option of ${command?.name ?? 'ops'} is missing its value, or has one it should not have`,
      );
    const known = ['-h', '-v', ...Object.keys(options).map((option) => `--${option}`)];
    const names = argv
      .filter((argument) => argument.startsWith('-'))
      .map((argument) => argument.split('=')[0]);
    throw unknown('option', names.find((name = '') => !known.includes(name)) ?? '', known);
  }
};
