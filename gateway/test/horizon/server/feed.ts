import { lastTokenOf } from '../core/ledger.ts';
import type { Links } from '../views/links.ts';
import type { Item } from '../views/page.ts';

/** A list that a page or a stream shows a part of: entries in the order of their keys. */
export type Feed = {
  /** Address of the list. */
  path: string;
  length(): number;
  keyAt(index: number): bigint;
  /** Null where the entry is not shown. */
  itemAt(index: number): Item | null;
  /** Bits of a key behind its token. */
  shift: bigint;
};

/** A feed over entries of the history; it sees those that are added later. */
export function feedOver<T>(
  path: string,
  entries: readonly T[],
  options: {
    keyOf: (entry: T) => bigint;
    cursorOf: (entry: T) => string;
    isShown?: (entry: T) => boolean;
    json: (entry: T, links: Links) => Record<string, unknown>;
    shift?: bigint;
  },
): Feed {
  const { keyOf, cursorOf, isShown = () => true, json, shift = 0n } = options;
  return {
    path,
    shift,
    length: () => entries.length,
    keyAt: (index) => keyOf(entries[index]!),
    itemAt(index) {
      const entry = entries[index]!;
      if (!isShown(entry)) return null;
      return { key: keyOf(entry), cursor: cursorOf(entry), json: (links) => json(entry, links) };
    },
  };
}

/** At most `limit` items beyond a key, none of a ledger after `head`. */
export function itemsBeyond(
  feed: Feed,
  key: bigint,
  { order, limit, head }: { order: 'asc' | 'desc'; limit: number; head: number },
): Item[] {
  const last = ((lastTokenOf(head) + 1n) << feed.shift) - 1n;
  const items: Item[] = [];
  const step = order === 'asc' ? 1 : -1;
  const from = order === 'asc' ? countUpTo(feed, key) : countUpTo(feed, key - 1n) - 1;
  for (let index = from; index >= 0 && index < feed.length() && items.length < limit; index += step) {
    const isLater = feed.keyAt(index) > last;
    if (isLater && order === 'asc') break;
    const item = isLater ? null : feed.itemAt(index);
    if (item) items.push(item);
  }
  return items;
}

/** How many entries have that key or a lower one. */
function countUpTo(feed: Feed, key: bigint): number {
  let [low, high] = [0, feed.length()];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (feed.keyAt(middle) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
