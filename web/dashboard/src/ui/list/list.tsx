import type { UseQueryResult } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Page } from '../../api/list.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { Rows, type RowsProps } from './rows.tsx';

export type ListProps<Row> = Omit<RowsProps<Row>, 'page' | 'stale'> & {
  /** The page that `cursor` in the address names. */
  list: UseQueryResult<Page<Row>>;
  /** In place of a list without a row. */
  empty: ReactNode;
  /** Above the rows. */
  lead?: ReactNode;
};

/** A list that is read page by page, while it loads, where it cannot be read and where it has no row. */
export function List<Row>({ list, empty, lead, ...rows }: ListProps<Row>): ReactNode {
  const { cursor }: { cursor?: string } = useSearch({ strict: false });
  return (
    <Loaded query={list}>
      {(page) =>
        page.items.length === 0 && page.next_cursor === null && cursor === undefined ? (
          empty
        ) : (
          <>
            {lead}
            <Rows {...rows} page={page} stale={list.isPlaceholderData} />
          </>
        )
      }
    </Loaded>
  );
}
