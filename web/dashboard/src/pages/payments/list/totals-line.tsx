import type { ReactNode } from 'react';
import { plus } from '../../../format/decimals.ts';
import { t } from '../../../texts/t.ts';
import { Money } from '../../../ui/display/money.tsx';
import { usePaymentTotals } from '../queries.ts';
import { useFilters } from './filters.ts';
import { countWords, groupsOf } from './status-tab.ts';

/** What all payments of the view come to, in each currency; not only those of the page. */
export function TotalsLine(): ReactNode {
  const { search } = useFilters();
  const { data } = usePaymentTotals(search);
  if (!data) return <p className="h-5" />;
  const sums = sumsOf(groupsOf(data.groups, search.status));
  const prices = sumsOf(groupsOf(data.prices, search.status));
  return (
    <p className="flex min-h-5 flex-wrap gap-x-4 text-sm">
      <span className="text-quiet">{t('Total of {data}', { data: countWords(data, search.status) })}</span>
      {sums}
      {prices.length > 0 && <span className="text-quiet">{t('Prices')}</span>}
      {prices}
    </p>
  );
}

/** The sum of each currency; open payments have none. */
function sumsOf(groups: readonly { currency: string | null; amount: string }[]): ReactNode[] {
  return [...Map.groupBy(groups, ({ currency }) => currency)]
    .sort()
    .flatMap(([currency, each]) =>
      currency === null ? (
        []
      ) : (
        <Money
          key={currency}
          amount={each.map(({ amount }) => amount).reduce(plus)}
          currency={currency}
          className="font-semibold"
        />
      ),
    );
}
