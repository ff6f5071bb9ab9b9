/** A place that the search can find. */
export type Place = { address: string; page: string; heading: string; text: string };

const common = new Set(
  'the and for are not that with this its has was from one all can may any but also when what who how than then they them there here which each only must does been into out get gets'.split(
    ' ',
  ),
);

/** The words of a text, each once: its letters, digits and underscores in lower case. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,40}/gu) ?? [];
  return [...new Set(words)].filter((word) => !common.has(word));
}

/**
 * The index as the page's script reads it: for each place its address, page, heading, and the words that are found
 * there beside those of the heading.
 */
export function searchIndex(places: readonly Place[]): string {
  return JSON.stringify(
    places.map(({ address, page, heading, text }) => [address, page, heading, wordsOf(text).join(' ')]),
  );
}
