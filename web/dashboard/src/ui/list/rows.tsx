import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeSearch } from '../../api/change-search.ts';
import type { Page } from '../../api/list.ts';
import { type Column, Table } from '../display/table.tsx';
import { Pagination } from './pagination.tsx';

export type RowsProps<Row> = {
  page: Page<Row>;
  /** While a newer page is loading. */
  stale?: boolean;
  /** Says what the rows are, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The detail of the row that `open` in the address names. */
  detail?: ((row: Row, onClose: () => void) => ReactNode) | undefined;
};

/** One page of a list: its rows, the way to newer and older ones by `cursor` in the address, and the open row's detail. */
export function Rows<Row>({ page, rowKey, detail, ...table }: RowsProps<Row>): ReactNode {
  const { cursor, open }: { cursor?: string; open?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const opened = detail && page.items.find((row) => rowKey(row) === open);
  const close = (): void =>
    void navigate({ to: '.', search: changeSearch({ open: undefined }), replace: true, resetScroll: false });
  return (
    <>
      <Table
        {...table}
        rows={page.items}
        rowKey={rowKey}
        selected={open}
        footer={<Pagination cursor={cursor} next={page.next_cursor} />}
      />
      {opened && detail(opened, close)}
    </>
  );
}
