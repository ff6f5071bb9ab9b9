import { type SearchIndex, type Shelf, type Shelves, shareOf, shelvesOf, sumOf, type Way } from './shelf.ts';
import { wordsOf } from './stem.ts';
import { correct, readWords, thingsOf } from './ways.ts';

/** A place that was found: `purpose` says what its page is for. */
export type Hit = { address: string; page: string; heading: string; purpose: string };

/** `better`: the question with known words in place of misspelt ones, by which was searched; null where none is misspelt. */
export type Answer = { hits: Hit[]; better: string | null };

/** The words of a question, and the things that they ask for. */
type Asked = { asked: readonly string[]; things: readonly Way[][] };

/** A place and how well it answers; 0: not at all. */
type Ranked = { page: number; place: number; worth: number };

const mostHits = 10;
const mostOfPage = 3;

/** Who types the title of a page means that page. */
const titleWorth = 4;

/** Every place by its own words and those of its page: more where more of what is asked is there. */
function rank({ pages, places }: SearchIndex, shelves: Shelves, { asked, things }: Asked): Ranked[] {
  const sharesOf = (document: number, ...weighed: [shelf: Shelf, weight: number][]): number[] =>
    things.map((ways) => sumOf(weighed.map(([shelf, weight]) => weight * shareOf(ways, shelf, document))));
  const ofPages = pages.map((_, page) => sharesOf(page, [shelves.titles, 2], [shelves.pages, 1]));
  const titled = pages.findIndex(([, title]) => wordsOf(title).join() === asked.join());
  return places.map(([page, anchor], place) => {
    const own = sharesOf(place, [shelves.headings, 1], [shelves.places, 1]);
    const all = [...own, ...(ofPages[page] ?? [])];
    const found = all.filter((share) => share > 0).length / all.length;
    const worth = page === titled && anchor === '' ? titleWorth : (pages[page]?.[3] ?? 1);
    return { page, place, worth: sumOf(own) === 0 ? 0 : sumOf(all) * (0.2 + 0.8 * found) * worth };
  });
}

/** The best places, at most three of a page. */
function bestOf({ pages, places }: SearchIndex, ranked: readonly Ranked[]): Hit[] {
  const shown = new Map<number, number>();
  const best = ranked
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .filter(({ page }) => {
      shown.set(page, (shown.get(page) ?? 0) + 1);
      return (shown.get(page) ?? 0) <= mostOfPage;
    });
  return best.slice(0, mostHits).map(({ page, place }) => {
    const [address = '', title = '', purpose = ''] = pages[page] ?? [];
    const [, anchor = '', heading = ''] = places[place] ?? [];
    return { address: anchor === '' ? address : `${address}#${anchor}`, page: title, heading, purpose };
  });
}

/** Makes what answers questions out of the index. */
export function openFinder(index: SearchIndex): (question: string) => Answer {
  const shelves = shelvesOf(index);
  const words = readWords(index);
  return (question) => {
    const asked = wordsOf(question);
    const better = correct(asked, words);
    const isBetter = better.some((word, at) => word !== asked[at]);
    const things = thingsOf(better, words, !isBetter && !question.endsWith(' '));
    const hits = things.length === 0 ? [] : bestOf(index, rank(index, shelves, { asked: better, things }));
    return { hits, better: isBetter ? better.join(' ') : null };
  };
}
