import { type Flag, namedPlaces, type Place } from './tree.ts';

/**
 * The script for zsh, which shows what each word is for. `path`, `commands` and `options` are variables of the shell
 * itself, so the script uses other names.
 */
export function zshScript(places: readonly Place[]): string {
  return `#compdef florin
# Completes florin in zsh. Made by: florin completion zsh
_florin() {
  local place= index
  local -a names flags
  for ((index = 2; index < CURRENT; index++)); do
    case "$place/$words[index]" in
      (${namedPlaces(places).join('|')}) place+=/$words[index] ;;
    esac
  done
  case "$place $words[CURRENT-1]" in
${places.flatMap((each) => each.flags.flatMap((flag) => valueCase(each.place, flag))).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o option flags; else _describe command names; fi
}
# As a file of fpath it is this function; read by eval or source it has to be made known.
if [[ $funcstack[1] == _florin ]]; then _florin "$@"; else compdef _florin florin; fi
`;
}

function valueCase(place: string, { names, value }: Flag): string[] {
  if (value === null) return [];
  const pattern = names.map((name) => `'${place} ${name}'`).join('|');
  return [`    (${pattern}) ${answerOf(value)}; return ;;`];
}

function answerOf(value: NonNullable<Flag['value']>): string {
  switch (value.kind) {
    case 'word':
      return `compadd -- ${value.words.join(' ')}`;
    case 'list':
      return `_values -s , type ${value.words.join(' ')}`;
    case 'file':
      return '_files';
    case 'anything':
      return '_message value';
  }
}

function placeCase({ place, words, flags }: Place): string {
  const long = flags.flatMap(({ names, about }) =>
    names.filter((name) => name.startsWith('--')).map((name) => described(name, about)),
  );
  const names = words.map(({ word, about }) => described(word, about));
  return `    ('${place}') names=(${names.join(' ')}); flags=(${long.join(' ')}) ;;`;
}

function described(word: string, about: string): string {
  const text = about === '' ? word : `${word}:${about.replaceAll(':', '\\:')}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
