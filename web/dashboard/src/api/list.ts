import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { api } from './client.ts';

/** A page of a list: keyset, so `next_cursor` leads to what is older, and null says that there is no more. */
export type Page<T> = { items: T[]; next_cursor: string | null };

/** Values of a query; those that are undefined or empty are left out. */
export type Query = Record<string, string | undefined>;

/** A path with its query: `withQuery('/a', { q: 'x', cursor: undefined })` is `/a?q=x`. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** How long something that changes by itself may be shown as it was. */
export const everyMs = 3_000;

/**
 * Reads one page of a list; while the next one loads, the last one stays. A page with an item of which `isMoving` holds
 * is read again every few seconds. One that is not `enabled` is not read.
 */
export function useList<T>(
  path: string,
  query: Query = {},
  isMoving: (item: T) => boolean = () => false,
  enabled = true,
): UseQueryResult<Page<T>> {
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<Page<T>>(withQuery(path, query), { signal }),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state: { data } }) => (data?.items.some(isMoving) ? everyMs : false),
  });
}

/** Reads one object. */
export function useRead<T>(path: string, query: Query = {}): UseQueryResult<T> {
  return useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => api<T>(withQuery(path, query), { signal }),
  });
}
