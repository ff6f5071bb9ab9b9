import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../texts/t.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { type Rates, useRates } from './queries.ts';
import { RatePairs } from './rate-pairs.tsx';

/** The rates of prices with their sources, and those by which minimums are computed. */
export function RatesCards(): ReactNode {
  const rates = useRates();
  return (
    <Loaded query={rates} rows={8}>
      {(data) => (
        <>
          <RatePairs rates={data} />
          {data.sources.length > 0 && (
            <Card
              title={t('Sources of rates')}
              description={t('The setting RATES names them. No other source is asked.')}
            >
              <Table
                caption={t('What each source answered')}
                columns={sourceColumns}
                rows={data.sources}
                rowKey={({ name }) => name}
              />
            </Card>
          )}
          <Card title={t('Rates for minimums')} description={describe(data)}>
            <Table
              caption={t('What each currency is worth')}
              columns={minimumColumns}
              rows={data.minimums}
              rowKey={(each) => each.currency}
            />
          </Card>
        </>
      )}
    </Loaded>
  );
}

function describe({ kind }: Rates): string {
  return kind === 'sources'
    ? t('They set the minimums of live payments without a price: the last known rate, whatever its age.')
    : t('They set the minimums of live payments without a price: fixed by the setting RATES.');
}

const minimumColumns: Column<Rates['minimums'][number]>[] = [
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
  { key: 'name', head: t('Source'), cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { key: 'asked', head: t('Asked'), from: 'sm', cell: ({ asked_at }) => <Time at={asked_at} /> },
  {
    key: 'state',
    head: t('Answer'),
    align: 'end',
    cell: ({ fault, asked_at }) =>
      asked_at === null ? (
        <Badge icon={Clock}>{t('Not asked yet')}</Badge>
      ) : fault === null ? (
        <Badge tone="paid" icon={CircleCheck}>
          {t('Answers')}
        </Badge>
      ) : (
        <span className="wrap-anywhere text-lost">{fault}</span>
      ),
  },
];
