import { stemOf, wordsOf } from './stem.ts';

/** What the gateway sends of all pages, written by its `api/site/search/search-index.ts`. */
export type SearchIndex = {
  /** Address, title, what it is for, and how much it counts beside a guide. */
  pages: [address: string, title: string, purpose: string, worth: number][];
  /** Page, anchor (none: the page itself), heading, and how many words it has. */
  places: [page: number, anchor: string, heading: string, length: number][];
  /** For each word a number for each place: 8 times the difference to the place before, plus how often it is there less one. */
  words: Record<string, number[]>;
  /** Words for one thing, between commas; those behind `>` are found by those before it, and not the other way round. */
  synonyms: string[];
  /** Words that say nothing of what is sought. */
  small: string[];
};

/** Texts of one kind, such as all headings: how often each stem is in each, and how many words each has. */
export type Shelf = { counts: Map<string, Map<number, number>>; lengths: number[]; average: number };

/** All that is searched. Each kind has its own measure of which words are rare: one that is in all texts may be in one title. */
export type Shelves = { titles: Shelf; headings: Shelf; places: Shelf; pages: Shelf };

/** One way to say what is asked, and how much it counts. Of words that were typed some may be missing, of a synonym none. */
export type Way = { stems: string[]; worth: number; isTyped?: boolean };

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function shelfOf(lengths: number[]): Shelf {
  return { counts: new Map(), lengths, average: sumOf(lengths) / lengths.length };
}

function put({ counts }: Shelf, stem: string, document: number, times: number): void {
  const known = counts.get(stem) ?? new Map<number, number>();
  known.set(document, (known.get(document) ?? 0) + times);
  counts.set(stem, known);
}

function shelfOfTexts(texts: readonly string[], small: readonly string[]): Shelf {
  const sought = texts.map((text) => wordsOf(text).filter((word) => !small.includes(word)));
  const shelf = shelfOf(sought.map(({ length }) => length));
  for (const [document, words] of sought.entries()) {
    for (const word of words) put(shelf, stemOf(word), document, 1);
  }
  return shelf;
}

export function shelvesOf({ pages: allPages, places: allPlaces, words, small }: SearchIndex): Shelves {
  const lengths = allPages.map(() => 0);
  for (const [page, , , length] of allPlaces) lengths[page] = (lengths[page] ?? 0) + length;
  const places = shelfOf(allPlaces.map(([, , , length]) => length));
  const pages = shelfOf(lengths);
  for (const [word, numbers] of Object.entries(words)) {
    const stem = stemOf(word);
    let place = 0;
    for (const number of numbers) {
      place += number >> 3;
      const times = (number & 7) + 1;
      put(places, stem, place, times);
      put(pages, stem, allPlaces[place]?.[0] ?? 0, times);
    }
  }
  // A word of the title counts twice beside one of what the page is for.
  const titles = shelfOfTexts(
    allPages.map(([, title, purpose]) => `${title} ${title} ${purpose}`),
    small,
  );
  const headings = shelfOfTexts(
    allPlaces.map(([, , heading]) => heading),
    small,
  );
  return { titles, headings, places, pages };
}

/** How much of a thing is in a text (BM25): more where few texts have the stem, less where the text is long. */
export function shareOf(ways: readonly Way[], { counts, lengths, average }: Shelf, document: number): number {
  const long = Math.min(2.5, 0.5 + (0.5 * (lengths[document] ?? 0)) / average);
  const ofStem = (stem: string): number => {
    const found = counts.get(stem);
    const times = found?.get(document) ?? 0;
    const documents = found?.size ?? 0;
    const rare = Math.min(4, Math.log(1 + (lengths.length - documents + 0.5) / (documents + 0.5)));
    return (rare * times) / (times + 1.2 * long);
  };
  const ofWay = ({ stems, worth, isTyped }: Way): number => {
    const shares = stems.map(ofStem);
    return worth * (isTyped ? sumOf(shares) / shares.length : Math.min(...shares));
  };
  return Math.max(...ways.map(ofWay));
}
