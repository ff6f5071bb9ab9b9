import { smallWords } from './small-words.ts';
import { synonyms } from './synonyms.ts';

/** A page that can be found; `worth`: how much a hit in it counts beside one in a guide, which is 1. */
export type FoundPage = { address: string; title: string; purpose: string; worth: number; places: Place[] };

/** A part of a page below one heading. The first has no anchor: it is the page itself. */
export type Place = { anchor: string; heading: string; text: string };

/** More of one word in a place says nothing more. */
const mostCounted = 8;

/** What a text is searched by: words, and the parts of names such as `payment_completed` and `verifyWebhook`. */
function wordsOf(text: string): string[] {
  const parted = text.replace(/\]\([^)]*\)/g, ']').replace(/([a-z])([A-Z])/g, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Sample values, such as parts of ids and hashes, answer no question. */
const isSought = (word: string): boolean =>
  word.length <= 24 && !smallWords.includes(word) && !(word.length > 6 && /\d/.test(word));

/**
 * The index as the page's script reads it: `SearchIndex` of `web/docs/find.ts`. Each word has a list of numbers, one for each place that has it:
 * 8 times the difference to the place before, plus how often it is there less one.
 */
export function searchIndex(pages: readonly FoundPage[]): string {
  const words = new Map<string, { numbers: number[]; last: number }>();
  const places: [page: number, anchor: string, heading: string, length: number][] = [];
  for (const [page, { places: ofPage }] of pages.entries()) {
    for (const { anchor, heading, text } of ofPage) {
      const found = wordsOf(text).filter(isSought);
      for (const [word, same] of Map.groupBy(found, (each) => each)) {
        const { numbers, last } = words.get(word) ?? { numbers: [], last: 0 };
        numbers.push((places.length - last) * mostCounted + Math.min(same.length, mostCounted) - 1);
        words.set(word, { numbers, last: places.length });
      }
      places.push([page, anchor, heading, found.length]);
    }
  }
  return JSON.stringify({
    pages: pages.map(({ address, title, purpose, worth }) => [address, title, purpose, worth]),
    places,
    words: Object.fromEntries([...words].map(([word, { numbers }]) => [word, numbers])),
    synonyms,
    small: smallWords,
  });
}
