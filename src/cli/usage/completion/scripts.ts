import { quoted, type Word, type Words } from './words.ts';

const listOf = (words: readonly Word[]): string => quoted(words.map(({ word }) => word).join(' '));

export const bashScript = ({ after, options, everywhere, withValue, takingFiles }: Words): string =>
  `# Completion of ops for bash: source <(ops completion bash)
_ops() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words='' options='' i
  local -a typed=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${withValue.join(' | ')}) i=$((i + 1)) ;;
      -*) ;;
      *) typed+=("\${COMP_WORDS[i]}") ;;
    esac
  done
  case $prev in
    --env-file) compopt -o default; return ;;
    ${withValue.filter((option) => option !== '--env-file').join(' | ')}) return ;;
  esac
  [[ \${typed[0]} == help ]] && typed=("\${typed[@]:1}")
  case "\${typed[*]}" in
${[...after].map(([before, words]) => `    ${quoted(before)}) words=${listOf(words)} ;;`).join('\n')}
    ${takingFiles.map(quoted).join(' | ')}) [[ $cur == -* ]] || { compopt -o default; return; } ;;
  esac
  case "\${typed[*]} " in
${[...options]
  .filter(([, words]) => words.length > 0)
  .map(([name, words]) => `    ${quoted(`${name} `)}*) options=${listOf(words)} ;;`)
  .join('\n')}
  esac
  [[ $cur == -* ]] && words="$options ${everywhere.map(({ word }) => word).join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _ops ops
`;

const described = (words: readonly Word[]): string =>
  words.map(({ word, about }) => quoted(about === '' ? word : `${word}:${about}`)).join(' ');

export const zshScript = ({ after, options, everywhere, withValue, takingFiles }: Words): string =>
  `#compdef ops
# Completion of ops for zsh: source <(ops completion zsh), or as _ops in a folder of $fpath
_ops() {
  local -a typed offered options
  local word skip=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then
      skip=''
      continue
    fi
    case $word in
      ${withValue.join(' | ')}) skip=$word ;;
      -*) ;;
      *) typed+=("$word") ;;
    esac
  done
  if [[ $skip == --env-file ]]; then
    _files
    return
  fi
  [[ -n $skip ]] && return
  [[ $typed[1] == help ]] && shift typed
  case "$typed" in
${[...after].map(([before, words]) => `    ${quoted(before)}) offered=(${described(words)}) ;;`).join('\n')}
    ${takingFiles.map(quoted).join(' | ')}) [[ $PREFIX == -* ]] || { _files; return; } ;;
  esac
  case "$typed " in
${[...options]
  .filter(([, words]) => words.length > 0)
  .map(([name, words]) => `    ${quoted(`${name} `)}*) options=(${described(words)}) ;;`)
  .join('\n')}
  esac
  options+=(${described(everywhere)})
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#offered )); then
    _describe command offered
  fi
}
if [[ $funcstack[1] == _ops ]]; then
  _ops "$@"
else
  compdef _ops ops
fi
`;

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
