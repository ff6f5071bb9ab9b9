import type { ReactNode } from 'react';
import { plus } from '../../../format/decimals.ts';
import { counted, t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import type { PaymentStatus } from '../../../ui/display/status-badge.tsx';
import { usePaymentTotals } from '../queries.ts';
import { useFilters } from './filters.ts';
import { countWords, groupsOf } from './status-tab.ts';

/**
 * What came in by all payments of the view, not only by those of the page: in each currency that is paid, and in each of their
 * prices. What failed, was cancelled or is still awaited came to nothing.
 */
export function TotalsLine(): ReactNode {
  const { search } = useFilters();
  const { data } = usePaymentTotals(search);
  if (!data) return <p className="h-5" />;
  const came = wanted(search.status);
  const sums = sumsOf(groupsOf(data.groups, came));
  const prices = sumsOf(groupsOf(data.prices, came));
  const words = { completed: countWords(data, came), count: countWords(data, search.status) };
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex min-h-5 flex-wrap gap-x-4">
        <span className="text-quiet">
          {sums.length === 0
            ? t('{count} in all, none of them completed', words)
            : t('Came in by {completed} completed, of {count} in all', words)}
        </span>
        {sums.map(({ currency, amount }) => (
          <Money key={currency} amount={amount} currency={currency} className="font-semibold" />
        ))}
      </p>
      {prices.length > 0 && (
        <p className="flex flex-wrap gap-x-4">
          <span className="text-quiet">{t('Asked in prices')}</span>
          {prices.map(({ currency, amount, count }) => (
            <span key={currency}>
              <Money amount={amount} currency={currency} className="font-semibold" />{' '}
              <span className="text-quiet">{counted(count, 'in 1 payment', 'in {count} payments')}</span>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** The completed ones among these statuses; undefined stands for all. */
const wanted = (statuses: PaymentStatus[] | undefined): PaymentStatus[] =>
  statuses === undefined || statuses.includes('completed') ? ['completed'] : [];

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
