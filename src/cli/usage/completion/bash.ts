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
