/** Does the work for all items, a number at a time: more would wait until something times out. */
export async function inParts<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const done: Result[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    done.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
  }
  return done;
}
