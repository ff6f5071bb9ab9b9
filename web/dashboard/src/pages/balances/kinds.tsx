import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { assetName } from '../../format/amount.ts';
import { t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';
import { type Column, Table } from '../../ui/display/table.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { kindWord } from './line-cause.tsx';
import { type StatementKind, useKinds } from './queries.ts';

type Row = StatementKind & { asset: string };
type Figure = 'gross' | 'fee' | 'net';

const figure = (key: Figure, head: string, from?: 'md'): Column<Row> => ({
  key,
  head,
  align: 'end',
  ...(from ? { from } : {}),
  amounts: (row) => [row[key]],
  cell: (row) => <Money amount={row[key]} currency={row.asset.split('-')[0] ?? ''} />,
});

const columns: Column<Row>[] = [
  {
    key: 'kind',
    head: t('Kind'),
    className: 'w-full',
    cell: ({ kind, asset }) => (
      <>
        {kindWord(kind)} <span className="block text-quiet">{assetName(asset)}</span>
      </>
    ),
  },
  { key: 'lines', head: t('Lines'), align: 'end', from: 'md', cell: ({ lines }) => lines },
  figure('gross', t('Gross'), 'md'),
  figure('fee', t('Fee'), 'md'),
  figure('net', t('Net')),
  {
    key: 'value',
    head: t('Value'),
    align: 'end',
    amounts: ({ value }) => [value],
    cell: ({ value, value_currency: currency }) =>
      value === null || currency === null ? (
        <span className="text-quiet">{t('No value')}</span>
      ) : (
        <Money amount={value} currency={currency} />
      ),
  },
];

/** What the lines of a month come to by kind, with what they were worth; read when it is opened. */
export function Kinds({ month, name }: { month: string; name: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-11 items-center gap-2 text-sm font-semibold">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-quiet transition-transform group-open:rotate-90"
        />
        {t('{name} by kind', { name })}
      </summary>
      {isOpen && <KindTable month={month} name={name} />}
    </details>
  );
}

function KindTable({ month, name }: { month: string; name: string }): ReactNode {
  const kinds = useKinds(month);
  return (
    <Loaded query={kinds} rows={3}>
      {({ assets, direct }) => (
        <Table
          caption={t('{name} by kind', { name })}
          columns={columns}
          rows={[
            ...assets.flatMap(({ asset, kinds: own }) => own.map((kind) => ({ ...kind, asset }))),
            ...direct.flatMap(({ asset, kinds: own }) =>
              own.map((kind) => ({ ...kind, kind: `direct_${kind.kind}`, asset })),
            ),
          ]}
          rowKey={({ asset, kind, value_currency: currency }) => `${asset} ${kind} ${currency ?? ''}`}
        />
      )}
    </Loaded>
  );
}
