/** One page of a list, newest first. `next_cursor` is null on the last. */
export type Page<Item> = { items: Item[]; next_cursor: string | null };

/** Yields every item of a paged list, and fetches the next page only when the caller needs it. */
export async function* everyItem<Item, Filter extends { cursor?: string | undefined }>(
  list: (filter: Filter) => Promise<Page<Item>>,
  filter: Filter,
): AsyncGenerator<Item, void, undefined> {
  let cursor = filter.cursor;
  do {
    const page = await list(cursor === undefined ? filter : { ...filter, cursor });
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
