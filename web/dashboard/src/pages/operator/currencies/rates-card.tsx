import { CircleCheck, Clock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/display/badge.tsx';
import { type Column, Table } from '../../../ui/display/table.tsx';
import { Time } from '../../../ui/display/time.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Loaded } from '../loaded.tsx';
import { type Rates, useRates } from './queries.ts';

/** The rates by which live minimums are computed, and their sources. */
export function RatesCard(): ReactNode {
  const rates = useRates();
  return (
    <Loaded query={rates} rows={4}>
      {(data) => (
        <Card title="Rates" description={describe(data)}>
          <Table
            caption="What each currency is worth"
            columns={rateColumns}
            rows={data.rates}
            rowKey={(each) => each.currency}
          />
          {data.sources.length > 0 && (
            <Table
              caption="Sources of rates"
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
  if (kind === 'configuration') return 'Fixed by the setting RATES. They set the minimums of live payments.';
  if (source === null) return 'No source of the setting RATES has answered this gateway yet.';
  return (
    <>
      From {source}, <Time at={refreshed_at} />. They set the minimums of live payments; the setting RATES
      names the sources.
    </>
  );
}

const rateColumns: Column<Rates['rates'][number]>[] = [
  { key: 'currency', head: 'Currency', cell: ({ currency }) => <b className="font-semibold">{currency}</b> },
  {
    key: 'usd',
    head: 'Worth',
    align: 'end',
    cell: ({ usd }) =>
      usd === null ? (
        <Badge tone="lost" icon={TriangleAlert}>
          No rate: live payments are refused
        </Badge>
      ) : (
        <span className="whitespace-nowrap">
          {usd} <span className="text-quiet">USD</span>
        </span>
      ),
  },
];

const sourceColumns: Column<Rates['sources'][number]>[] = [
  { key: 'origin', head: 'Source', cell: ({ origin }) => <span className="wrap-anywhere">{origin}</span> },
  { key: 'asked', head: 'Asked', from: 'sm', cell: ({ asked_at }) => <Time at={asked_at} /> },
  {
    key: 'state',
    head: 'Answer',
    align: 'end',
    cell: ({ fault, asked_at }) =>
      asked_at === null ? (
        <Badge icon={Clock}>In reserve</Badge>
      ) : fault === null ? (
        <Badge tone="paid" icon={CircleCheck}>
          Answers
        </Badge>
      ) : (
        <Badge tone="lost" icon={TriangleAlert}>
          {fault}
        </Badge>
      ),
  },
];
