import type { Command } from '../../command.ts';

export type Word = { readonly word: string; readonly about: string };

/** What can be typed: the input of the script for each shell. */
export type Words = {
  /** By the words typed before: '' at the beginning, then every group. */
  readonly after: ReadonlyMap<string, readonly Word[]>;
  /** By the name of a command. */
  readonly options: ReadonlyMap<string, readonly Word[]>;
  readonly everywhere: readonly Word[];
  /** Options that take a value. */
  readonly withValue: readonly string[];
  /** Commands that take the name of a file. */
  readonly takingFiles: readonly string[];
};

const EVERYWHERE: readonly Word[] = [
  { word: '--json', about: 'one JSON document' },
  { word: '--env-file', about: 'where the settings are' },
  { word: '--help', about: 'help for this command' },
  { word: '--version', about: 'the version of this program' },
];
const YES: Word = { word: '--yes', about: 'do not ask' };
const HELP: Word = { word: 'help', about: 'help for all commands, one or a group' };

export const wordsOf = (commands: readonly Command[]): Words => {
  const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0] ?? '');
  const isGroup = ([, members]: [string, Command[]]): boolean => members[0]?.name.includes(' ') === true;
  const first = [...groups].map(([word, members]): Word => {
    const about = members.map(({ name }) => name.split(' ')[1]).join(', ');
    return { word, about: isGroup([word, members]) ? about : (members[0]?.summary ?? '') };
  });
  const second = [...groups].filter(isGroup).map(([word, members]) => [word, members.map(wordOf)] as const);
  const choices = commands.flatMap(({ name, parameters }) =>
    parameters.filter((one) => one.includes('|')).map((one) => [name, choicesIn(one)] as const),
  );
  return {
    after: new Map([['', [...first, HELP]], ...second, ...choices]),
    options: new Map(commands.map((command) => [command.name, optionsOf(command)])),
    everywhere: EVERYWHERE,
    withValue: ['--env-file', ...new Set(commands.flatMap(valueOptionsOf))],
    takingFiles: commands
      .filter(({ parameters }) => parameters.some((one) => one.includes('file')))
      .map(({ name }) => name),
  };
};

const wordOf = ({ name, summary }: Command): Word => ({ word: name.split(' ')[1] ?? '', about: summary });

/** `bash`, `zsh` and `fish` for `bash|zsh|fish`. */
const choicesIn = (parameter: string): Word[] => parameter.split('|').map((word) => ({ word, about: '' }));

const optionsOf = ({ options = {}, destroys }: Command): Word[] => [
  ...Object.entries(options).map(([name, { help }]) => ({ word: `--${name}`, about: help })),
  ...(destroys === undefined ? [] : [YES]),
];

const valueOptionsOf = ({ options = {} }: Command): string[] =>
  Object.entries(options).flatMap(([name, { type }]) => (type === 'string' ? [`--${name}`] : []));

/** In single quotes for a shell; fish takes a backslash before them. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
