import type { SearchIndex, Way } from './shelf.ts';
import { nearestOf } from './spelling.ts';
import { stemOf, wordsOf } from './stem.ts';

/** What is known of words: `others` has the other ways to say a phrase, by its stems, and `known` how often each word is there as it is written. */
export type Words = {
  others: Map<string, Way[]>;
  longest: number;
  known: Map<string, number>;
  stems: Set<string>;
  small: Set<string>;
};

const synonymWorth = 0.7;
const beginningWorth = 0.6;
const mostBeginnings = 6;

const nameOf = (words: readonly string[]): string => words.map(stemOf).join(' ');

function otherWays(synonyms: readonly string[], small: ReadonlySet<string>): Map<string, Way[]> {
  const ways = new Map<string, Way[]>();
  const phrasesOf = (part: string) =>
    part
      .split(',')
      .map(wordsOf)
      .filter((words) => words.length > 0);
  for (const line of synonyms) {
    const [asked = '', meant = ''] = line.split('>');
    const all = [...phrasesOf(asked), ...phrasesOf(meant)];
    for (const phrase of phrasesOf(asked)) {
      const name = nameOf(phrase);
      const others = all
        .filter((words) => nameOf(words) !== name)
        .map((words) => words.filter((word) => !small.has(word)).map(stemOf))
        .filter((stems) => stems.length > 0);
      ways.set(name, [...(ways.get(name) ?? []), ...others.map((stems) => ({ stems, worth: synonymWorth }))]);
    }
  }
  return ways;
}

export function readWords({ words, pages, synonyms, ...index }: SearchIndex): Words {
  const small = new Set(index.small);
  const known = new Map(Object.entries(words).map(([word, { length }]) => [word, length]));
  const shown = [...pages.map(([, title, purpose]) => `${title} ${purpose}`), ...synonyms];
  for (const word of wordsOf(shown.join(' '))) if (!known.has(word)) known.set(word, 1);
  const others = otherWays(synonyms, small);
  const longest = Math.max(1, ...[...others.keys()].map((name) => name.split(' ').length));
  return { others, longest, known, stems: new Set([...known.keys()].map(stemOf)), small };
}

/** Known words in place of those that are neither known nor the beginning of one that is. */
export function correct(asked: readonly string[], { known, stems, small }: Words): string[] {
  const isKnown = (word: string): boolean =>
    small.has(word) || stems.has(stemOf(word)) || [...known.keys()].some((each) => each.startsWith(word));
  return asked.map((word) => (isKnown(word) ? word : (nearestOf(word, known) ?? word)));
}

/** The words that are there most often of those that begin like this one. */
function beginnings(word: string, known: ReadonlyMap<string, number>): Way[] {
  const found = [...known].filter(([each]) => each.startsWith(word) && each !== word);
  const most = found.sort(([, a], [, b]) => b - a).slice(0, mostBeginnings);
  return most.map(([each]) => ({ stems: [stemOf(each)], worth: beginningWorth }));
}

/** Each thing that a question asks for, with all ways to say it; `isTyping`: its last word may go on. */
export function thingsOf(asked: readonly string[], words: Words, isTyping: boolean): Way[][] {
  const things: Way[][] = [];
  const isNothingElse = asked.every((word) => words.small.has(word));
  let at = 0;
  while (at < asked.length) {
    const lengths = Array.from({ length: Math.min(words.longest, asked.length - at) }, (_, less) => less + 1);
    const length = lengths.findLast((each) => words.others.has(nameOf(asked.slice(at, at + each)))) ?? 1;
    const phrase = asked.slice(at, at + length);
    at += length;
    const sought = phrase.filter((word) => isNothingElse || !words.small.has(word));
    const typed = sought.length === 0 ? [] : [{ stems: sought.map(stemOf), worth: 1, isTyped: true }];
    const isLast = isTyping && at === asked.length && length === sought.length && length === 1;
    const begun = isLast ? beginnings(sought.join(''), words.known) : [];
    const thing = [...typed, ...(words.others.get(nameOf(phrase)) ?? []), ...begun];
    if (thing.length > 0) things.push(thing);
  }
  return things;
}
