import type { ReactNode } from 'react';
import { plus } from '../../../format/decimals.ts';
import { priceAmount } from '../../../format/price.ts';
import { counted, t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { usePaymentTotals } from '../queries.ts';
import { useFilters } from './filters.ts';
import { countWords, groupsOf } from './status-tab.ts';

/** What all payments of the view come to, not only those of the page: in each currency that is paid, and in each of their prices. */
export function TotalsLine(): ReactNode {
  const { search } = useFilters();
  const { data } = usePaymentTotals(search);
  if (!data) return <p className="h-5" />;
  const sums = sumsOf(groupsOf(data.groups, search.status));
  const prices = sumsOf(groupsOf(data.prices, search.status));
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex min-h-5 flex-wrap gap-x-4">
        <span className="text-quiet">{t('Total of {data}', { data: countWords(data, search.status) })}</span>
        {sums.map(({ currency, amount }) => (
          <Money key={currency} amount={amount} currency={currency} className="font-semibold" />
        ))}
      </p>
      {prices.length > 0 && (
        <p className="flex flex-wrap gap-x-4">
          <span className="text-quiet">{t('Asked in prices')}</span>
          {prices.map(({ currency, amount, count }) => (
            <span key={currency}>
              <Money amount={priceAmount(amount, currency)} currency={currency} className="font-semibold" />{' '}
              <span className="text-quiet">{counted(count, 'in 1 payment', 'in {count} payments')}</span>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

type Sum = { currency: string; amount: string; count: number };

/** The sum of each currency; open payments have none. */
function sumsOf(groups: readonly { currency: string | null; amount: string; count: number }[]): Sum[] {
  return [...Map.groupBy(groups, ({ currency }) => currency)].sort().flatMap(([currency, each]) =>
    currency === null
      ? []
      : {
          currency,
          amount: each.map(({ amount }) => amount).reduce(plus),
          count: each.reduce((all, { count }) => all + count, 0),
        },
  );
}
