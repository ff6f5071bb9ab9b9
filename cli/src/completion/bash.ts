import { type Flag, namedPlaces, type Place } from './tree.ts';

/** The script by which bash completes commands, options, and the values that these take. */
export function bashScript(places: readonly Place[]): string {
  return `# Completes florin in bash. Made by: florin completion bash
_florin() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place= words= flags= head= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$place/\${COMP_WORDS[index]}" in
      ${namedPlaces(places).join(' | ')}) place+=/\${COMP_WORDS[index]} ;;
    esac
  done
  COMPREPLY=()
  case "$place $prev" in
${places.flatMap((each) => each.flags.flatMap((flag) => valueCase(each.place, flag))).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  if [[ $cur == -* ]]; then words=$flags; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _florin florin
`;
}

function valueCase(place: string, { names, value }: Flag): string[] {
  if (value === null) return [];
  const pattern = names.map((name) => `'${place} ${name}'`).join(' | ');
  return [`    ${pattern}) ${answerOf(value)}; return ;;`];
}

function answerOf(value: NonNullable<Flag['value']>): string {
  switch (value.kind) {
    case 'word':
      return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$cur"))`;
    case 'list':
      return `[[ $cur == *,* ]] && head=\${cur%,*},; compopt -o nospace 2> /dev/null; COMPREPLY=($(compgen -P "$head" -W '${value.words.join(' ')}' -- "\${cur##*,}"))`;
    case 'file':
      return 'COMPREPLY=($(compgen -f -- "$cur"))';
    case 'anything':
      return ':';
  }
}

function placeCase({ place, words, flags }: Place): string {
  const long = flags.flatMap(({ names }) => names.filter((name) => name.startsWith('--')));
  return `    '${place}') words='${words.map(({ word }) => word).join(' ')}' flags='${long.join(' ')}' ;;`;
}
