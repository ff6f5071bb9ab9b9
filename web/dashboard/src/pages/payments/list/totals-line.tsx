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
  const byCurrency = [...Map.groupBy(groupsOf(data, search.status), ({ currency }) => currency)].sort();
  return (
    <p className="flex min-h-5 flex-wrap gap-x-4 text-sm">
      <span className="text-quiet">{t('Total of {data}', { data: countWords(data, search.status) })}</span>
      {byCurrency.map(([currency, groups]) => (
        <Money
          key={currency}
          amount={groups.map(({ amount }) => amount).reduce(plus)}
          currency={currency}
          className="font-semibold"
        />
      ))}
    </p>
  );
}
