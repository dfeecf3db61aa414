import { quoted, type Word, type Words } from './words.ts';

/** Between single quotes fish knows two escapes. */
const fishQuoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

export const fishScript = ({ after, options, everywhere, withValue, takingFiles }: Words): string => {
  const offer = (condition: string, what: string, { about }: Word): string =>
    `complete -c ops -n ${quoted(condition)} ${what}${about === '' ? '' : ` -d ${fishQuoted(about)}`}`;
  const option = (condition: string, one: Word): string =>
    offer(condition, `-l ${one.word.slice(2)}${withValue.includes(one.word) ? ' -r' : ''}`, one);
  return `# Completion of ops for fish: ops completion fish | source
function __ops_typed
    set -l skip no
    set -l typed
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch $word
            case ${withValue.join(' ')}
                set skip yes
            case '-*'
            case '*'
                set -a typed $word
        end
    end
    if test "$typed[1]" = help
        set -e typed[1]
    end
    echo "$typed"
end
function __ops_after
    test (__ops_typed) = $argv[1]
end
function __ops_in
    string match -q -- "$argv[1] *" (__ops_typed)' '
end
complete -c ops -f
${[
  ...[...after].flatMap(([before, words]) =>
    words.map((word) => offer(`__ops_after ${fishQuoted(before)}`, `-a ${word.word}`, word)),
  ),
  ...[...options].flatMap(([name, words]) =>
    words.map((word) => option(`__ops_in ${fishQuoted(name)}`, word)),
  ),
  ...everywhere.map((word) => option('true', word)),
  ...takingFiles.map((name) => `complete -c ops -n ${quoted(`__ops_after ${fishQuoted(name)}`)} -F`),
].join('\n')}
`;
};
