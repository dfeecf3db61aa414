import type { Command, RunWithoutSettings } from '../command.ts';
import { badInput } from '../refusals.ts';
import { COMMON } from './arguments.ts';

type Offer = { readonly word: string; readonly about: string };

/** Each has `ops completion <shell> <line>` print a line `word:about` for every offer; files where there is none. */
const SCRIPTS = new Map([
  [
    'bash',
    `# Completion of ops for bash: source <(ops completion bash)
_ops() {
  local -a offers
  mapfile -t offers < <(ops completion bash "\${COMP_WORDS[*]:0:COMP_CWORD+1}" 2>/dev/null)
  COMPREPLY=("\${offers[@]%%:*}")
}
complete -o default -F _ops ops`,
  ],
  [
    'zsh',
    `#compdef ops
# Completion of ops for zsh: source <(ops completion zsh), or as _ops in a folder of $fpath
_ops() {
  local -a offers=("\${(@f)$(ops completion zsh "\${words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n $offers ]]; then _describe word offers; else _files; fi
}
if [[ $funcstack[1] == _ops ]]; then _ops "$@"; else compdef _ops ops; fi`,
  ],
  [
    'fish',
    `# Completion of ops for fish: ops completion fish | source
function __ops
    set -l offers (ops completion fish (commandline -cp) 2>/dev/null)
    if set -q offers[1]
        string replace : \\t -- $offers
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c ops -f -a '(__ops)'`,
  ],
]);

export const completion: RunWithoutSettings = async ({ commands }, { words: [shell = '', line] }) => {
  const script = SCRIPTS.get(shell);
  if (script === undefined)
    throw badInput('There is no completion for this shell', `choose ${[...SCRIPTS.keys()].join(', ')}.`);
  if (line === undefined) return { data: { shell, script }, lines: [script] };
  const offers = offersFor(line, commands);
  return { data: { shell, offers }, lines: offers.map(({ word, about }) => `${word}:${about}`) };
};

const offersFor = (line: string, commands: readonly Command[]): Offer[] => {
  const words = line.split(' ').slice(1);
  const current = words.pop() ?? '';
  const takesValue = (word = ''): boolean => {
    const [, option = ''] = /^--(.+)/.exec(word) ?? [];
    return [{ options: COMMON }, ...commands].some(({ options }) => options?.[option]?.type === 'string');
  };
  if (takesValue(words.at(-1))) return [];
  const typed = words.filter((word, at) => !word.startsWith('-') && !takesValue(words[at - 1]));
  const before = (typed[0] === 'help' ? typed.slice(1) : typed).map((word) => `${word} `).join('');
  const offers = current.startsWith('-')
    ? optionsOf(commands.find(({ name }) => before.startsWith(`${name} `)))
    : nextWords(before, commands);
  return offers.filter(({ word }) => word.startsWith(current));
};

const optionsOf = (command: Command | undefined): Offer[] =>
  Object.entries({ ...command?.options, ...COMMON })
    .filter(([name]) => name !== 'yes' || command?.destroys !== undefined)
    .map(([name, { help }]) => ({ word: `--${name}`, about: help }));

const nextWords = (before: string, commands: readonly Command[]): Offer[] => {
  const lines = [
    ...commands.flatMap(({ name, summary, parameters: [first = ''] }) => [
      { text: name, about: summary },
      ...(first.includes('|') ? first.split('|').map((one) => ({ text: `${name} ${one}`, about: '' })) : []),
    ]),
    { text: 'help', about: 'help for all commands, one or a group' },
  ];
  const rests = lines
    .filter(({ text }) => text.startsWith(before))
    .map(({ text, about }) => ({ words: text.slice(before.length).split(' '), about }));
  return [...Map.groupBy(rests, ({ words }) => words[0] ?? '')].map(([word, members]) => ({
    word,
    about:
      members.find(({ words }) => words.length === 1)?.about ??
      members.map(({ words }) => words[1]).join(', '),
  }));
};
