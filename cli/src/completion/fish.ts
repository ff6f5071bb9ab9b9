import { type Flag, namedPlaces, type Place } from './tree.ts';

/** The script for fish: one `complete` for each word and option at its place in the command line. */
export function fishScript(places: readonly Place[]): string {
  return `# Completes florin in fish. Made by: florin completion fish
function __florin_place
    set -l place ''
    set -l typed (commandline -opc)
    set -e typed[1]
    for word in $typed
        switch "$place/$word"
            case ${namedPlaces(places).join(' ')}
                set place "$place/$word"
        end
    end
    echo $place
end

function __florin_at
    set -l place (__florin_place)
    test "$place" = "$argv[1]"
end

complete -c florin -f
${places.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ place, words, flags }: Place): string[] {
  const at = `complete -c florin -n '__florin_at "${place}"'`;
  return [
    ...words.map(({ word, about }) => `${at} -a ${word}${about === '' ? '' : ` -d ${quoted(about)}`}`),
    ...flags.map((flag) => `${at}${namesOf(flag)}${takenBy(flag)} -d ${quoted(flag.about)}`),
  ];
}

function namesOf({ names }: Flag): string {
  return names
    .map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`))
    .join('');
}

function takenBy({ value }: Flag): string {
  if (value === null) return '';
  if (value.kind === 'file') return ' -r -F';
  return value.kind === 'anything' ? ' -x' : ` -x -a '${value.words.join(' ')}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
