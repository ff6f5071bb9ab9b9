import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { rich } from '../../../texts/rich.ts';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { type Rates, useRates } from './queries.ts';

/** The rates by which live minimums are computed, and their sources. */
export function RatesCard(): ReactNode {
  const rates = useRates();
  return (
    <Loaded query={rates} rows={4}>
      {(data) => (
        <Card title={t('Rates')} description={describe(data)}>
          <Table
            caption={t('What each currency is worth')}
            columns={rateColumns}
            rows={data.rates}
            rowKey={(each) => each.currency}
          />
          {data.sources.length > 0 && (
            <Table
              caption={t('Sources of rates')}
              columns={sourceColumns}
              rows={data.sources}
              rowKey={({ origin }) => origin}
            />
          )}
        </Card>
      )}
    </Loaded>
  );
}

function describe({ kind, source, refreshed_at }: Rates): ReactNode {
  if (kind === 'configuration')
    return t('Fixed by the setting RATES. They set the minimums of live payments.');
  if (source === null) return t('No source of the setting RATES has answered this gateway yet.');
  return (
    <>
      {rich(
        'From {source}, {time}. They set the minimums of live payments; the setting RATES names the sources.',
        { source, time: <Time at={refreshed_at} /> },
      )}
    </>
  );
}

const rateColumns: Column<Rates['rates'][number]>[] = [
  {
    key: 'currency',
    head: t('Currency'),
    cell: ({ currency }) => <b className="font-semibold">{currency}</b>,
  },
  {
    key: 'usd',
    head: t('Worth'),
    align: 'end',
    cell: ({ usd }) =>
      usd === null ? (
        <Badge tone="lost" icon={TriangleAlert}>
          {t('No rate: live payments are refused')}
        </Badge>
      ) : (
        <span className="whitespace-nowrap">
          {usd} <span className="text-quiet">{t('USD')}</span>
        </span>
      ),
  },
];

const sourceColumns: Column<Rates['sources'][number]>[] = [
  { key: 'origin', head: t('Source'), cell: ({ origin }) => <span className="wrap-anywhere">{origin}</span> },
  { key: 'asked', head: t('Asked'), from: 'sm', cell: ({ asked_at }) => <Time at={asked_at} /> },
  {
    key: 'state',
    head: t('Answer'),
    align: 'end',
    cell: ({ fault, asked_at }) =>
      asked_at === null ? (
        <Badge icon={Clock}>{t('In reserve')}</Badge>
      ) : fault === null ? (
        <Badge tone="paid" icon={CircleCheck}>
          {t('Answers')}
        </Badge>
      ) : (
        <Badge tone="lost" icon={TriangleAlert}>
          {fault}
        </Badge>
      ),
  },
];
