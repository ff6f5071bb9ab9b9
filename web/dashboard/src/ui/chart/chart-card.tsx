import { type ReactNode, useState } from 'react';
import { t } from '../../texts/t.ts';
import { Button } from '../button/button.tsx';
import { Copy } from '../button/copy.tsx';
import { Money } from '../display/money.tsx';
import { type Column, Table } from '../display/table.tsx';
import { Card } from '../layout/card.tsx';
import { csvOf } from './csv.ts';

/** The data behind a chart: a row for each point, the first cell its name. `currencies`: of the columns that are amounts. */
type ChartTable = {
  heads: readonly string[];
  currencies?: readonly (string | null)[];
  rows: readonly (readonly string[])[];
};

export type ChartCardProps = {
  title: string;
  description?: ReactNode;
  /** Between the heading and the chart: a switch, or a legend. */
  aside?: ReactNode;
  table: ChartTable;
  /** The values of the selected point, below the chart. */
  readout: ReactNode;
  children: ReactNode;
  className?: string;
};

/** A chart in a card, and the same data as a table that can be copied. */
export function ChartCard(props: ChartCardProps): ReactNode {
  const { title, description, aside, table, readout, children, className } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      title={title}
      className={className ?? ''}
      actions={
        <>
          {asTable && <Copy text={csvOf(table)} what={t('“{title}” as CSV', { title })} />}
          <Button variant="plain" size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? t('Show as chart') : t('Show as table')}
          </Button>
        </>
      }
    >
      {description !== undefined && <p className="-mt-3 text-sm text-pretty text-quiet">{description}</p>}
      {aside}
      {asTable ? (
        <DataTable title={title} table={table} />
      ) : (
        <>
          {children}
          <div className="flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-3 text-sm tabular-nums">
            {readout}
          </div>
        </>
      )}
    </Card>
  );
}

function DataTable({
  title,
  table: { heads, currencies, rows },
}: {
  title: string;
  table: ChartTable;
}): ReactNode {
  return (
    <section
      aria-label={t('{title}: all rows', { title })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by the arrow keys too
      tabIndex={0}
      className="max-h-96 overflow-y-auto rounded-xl [--sticky-top:0px]"
    >
      <Table<readonly string[]>
        caption={t('{title} as a table', { title })}
        rows={rows.toReversed()}
        rowKey={(row) => row[0] ?? ''}
        columns={heads.map((head, at) => ({
          ...{ key: head, head, cell: (row) => row[at] },
          ...(at === 0 ? { className: 'whitespace-nowrap' } : { align: 'end' as const }),
          ...amountCells(currencies?.[at] ?? null, at),
        }))}
      />
    </section>
  );
}

function amountCells(
  currency: string | null,
  at: number,
): Partial<Pick<Column<readonly string[]>, 'amounts' | 'cell'>> {
  if (currency === null) return {};
  return {
    amounts: (row) => [row[at] ?? null],
    cell: (row) => <Money amount={row[at] ?? '0'} currency={currency} bare />,
  };
}
