import { quoted, type Word, type Words } from './words.ts';

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
