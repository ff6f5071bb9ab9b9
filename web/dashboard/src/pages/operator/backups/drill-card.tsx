import { CircleCheck, CircleOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { DefinitionList, idFact } from '../../../ui/display/definition-list.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import type { Drill } from './queries.ts';

/** The last backup that was loaded into a database of its own, with what was counted and compared there. */
export function DrillCard({ drill, drillKey }: { drill: Drill | null; drillKey: string }): ReactNode {
  if (drill === null) {
    return (
      <Card title={t('Last trial')}>
        <p className="text-sm text-quiet">
          {t('No backup was tried yet. It is loaded into a database of its own, and checked there.')}
        </p>
      </Card>
    );
  }
  const { fault, report, started_at: at, path, line } = drill;
  return (
    <Card
      title={t('Last trial')}
      description={
        <span className="wrap-anywhere">
          {path} · <Time at={at} />
        </span>
      }
      actions={
        fault === null ? (
          <Badge tone="paid" icon={CircleCheck}>
            {t('Can be restored')}
          </Badge>
        ) : (
          <Badge tone="lost" icon={CircleOff}>
            {t('Failed')}
          </Badge>
        )
      }
    >
      {fault !== null && <p className="text-sm text-lost wrap-anywhere">{fault}</p>}
      <DefinitionList
        facts={[
          [t('Tables'), report && figure(report.tables)],
          [t('Rows'), report && figure(report.rows)],
          [t('Entries of the ledger'), report && figure(report.entries)],
          [t('Stamps'), report && figure(report.stamps)],
          idFact(t('Signed line'), t('Signed line'), line),
          idFact(t('Public key'), t('Public key'), drillKey),
        ]}
      />
      {report && report.sums.length > 0 && (
        <Table
          caption={t('Sums of the last trial')}
          columns={sumColumns}
          rows={report.sums}
          rowKey={({ mode, asset, kind }) => `${mode} ${asset} ${kind}`}
        />
      )}
      {report && report.held.length > 0 && (
        <Table
          caption={t('Held on the networks')}
          columns={heldColumns}
          rows={report.held}
          rowKey={({ asset }) => asset}
        />
      )}
    </Card>
  );
}

const figure = (number: number): string => number.toLocaleString('en');

type Sum = NonNullable<Drill['report']>['sums'][number];
type Held = NonNullable<Drill['report']>['held'][number];

const sumColumns: Column<Sum>[] = [
  {
    key: 'asset',
    head: t('Asset'),
    cell: ({ asset, mode }) => (
      <span className="flex items-center gap-2">
        {asset} {mode === 'test' && <Badge tone="test">{t('Test')}</Badge>}
      </span>
    ),
  },
  { key: 'kind', head: t('Account'), cell: ({ kind }) => kind },
  {
    key: 'live',
    head: t('Live'),
    align: 'end',
    from: 'sm',
    className: 'font-mono',
    cell: ({ live }) => live ?? '–',
  },
  {
    key: 'restored',
    head: t('Restored'),
    align: 'end',
    className: 'font-mono',
    cell: ({ restored }) => restored,
  },
];

const heldColumns: Column<Held>[] = [
  { key: 'asset', head: t('Asset'), cell: ({ asset }) => asset },
  { key: 'owed', head: t('Owed'), align: 'end', className: 'font-mono', cell: ({ owed }) => owed },
  { key: 'held', head: t('Held'), align: 'end', className: 'font-mono', cell: ({ held }) => held },
  {
    key: 'difference',
    head: t('Difference'),
    align: 'end',
    from: 'sm',
    className: 'font-mono',
    cell: ({ difference }) => difference,
  },
];
