import type { Json, Links } from './links.ts';

/** What a list may be asked for, as it was read from a query. */
export type PageQuery = { cursor: string; order: 'asc' | 'desc'; limit: number; extra: [string, string][] };

/** A record of a list: lists are sorted by `key`; `cursor` is its paging token. */
export type Item = { key: bigint; cursor: string; json: (links: Links) => Json };

/** One page of a list, with links to those beside it. */
export function pageJson(path: string, query: PageQuery, items: Item[], links: Links): Json {
  const { cursor, order, limit, extra } = query;
  const at = (from: string, way: 'asc' | 'desc'): string => {
    const parameters = new URLSearchParams([
      ['cursor', from],
      ...extra,
      ['limit', `${limit}`],
      ['order', way],
    ]);
    return `${path}?${parameters}`;
  };
  return {
    _links: links({
      self: at(cursor, order),
      next: at(items.at(-1)?.cursor ?? cursor, order),
      prev: at(items[0]?.cursor ?? cursor, order === 'asc' ? 'desc' : 'asc'),
    }),
    _embedded: { records: items.map(({ json }) => json(links)) },
  };
}
