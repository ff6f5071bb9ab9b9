import type { Page, PageFilter } from '@florin/sdk';
import { note, print } from './print.ts';
import { type Column, createTable } from './table.ts';

/** How many items of a list to show. */
export type Extent = { limit: number; all: boolean };

/** Prints the result of a command, as text for people or as JSON for programs. */
export type Show = {
  /** One object: its JSON on one line, or the text. */
  one(data: unknown, text: () => string): Promise<void>;
  /** A list, page by page: a line of JSON for each item, or a table. */
  list<Item>(
    fetchPage: (page: PageFilter) => Promise<Page<Item>>,
    extent: Extent,
    columns: readonly Column<Item>[],
    empty: string,
  ): Promise<void>;
};

const largestPage = 100;

/** Shows results as JSON with `--json`, else as text. */
export function createShow(json: boolean): Show {
  return {
    one: (data, text) => print(json ? `${JSON.stringify(data)}\n` : text()),

    async list(fetchPage, extent, columns, empty) {
      const table = createTable(columns);
      let shown = 0;
      let cursor: string | undefined;
      do {
        const limit = extent.all ? largestPage : Math.min(largestPage, extent.limit - shown);
        const page = await fetchPage({ limit, ...(cursor !== undefined && { cursor }) });
        if (json) await print(page.items.map((item) => `${JSON.stringify(item)}\n`).join(''));
        else if (page.items.length > 0) {
          const lines = table.lines(page.items);
          await print((shown === 0 ? table.head() : '') + lines);
        }
        shown += page.items.length;
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && (extent.all || shown < extent.limit));
      if (json) return;
      if (shown === 0) note(empty);
      if (cursor !== undefined) {
        note(`There are more than these ${shown}. --limit ${shown * 5} shows more, --all shows all.`);
      }
    },
  };
}
