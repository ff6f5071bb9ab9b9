import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { given } from '../../../api/search.ts';
import { t } from '../../../texts/t.ts';
import { usePaymentTotals } from '../queries.ts';
import { useFilters } from './filters.ts';
import { countWords, statusTabs, tabOf } from './status-tab.ts';

/** The statuses as tabs, each with how many of the other filters' payments it has. */
export function StatusTabs(): ReactNode {
  const { search } = useFilters();
  const { data } = usePaymentTotals(search);
  const open = tabOf(search);
  return (
    <nav aria-label={t('Payments by status')} className="flex gap-1 overflow-x-auto border-b border-line">
      {statusTabs.map((tab) => (
        <Link
          key={tab.name}
          to="."
          search={given({ ...search, status: tab.statuses, cursor: undefined, open: undefined }) as never}
          aria-current={tab === open ? 'true' : undefined}
          className={clsx(
            '-mb-px border-b-2 px-3 py-2.5 text-sm font-semibold whitespace-nowrap -outline-offset-2 transition-colors hover:text-ink',
            tab === open ? 'border-accent text-ink' : 'border-transparent text-quiet',
          )}
        >
          {tab.name} {/* Has its room before the count is known, so that no tab moves. */}
          <span className="inline-block min-w-[3ch] font-normal tabular-nums text-quiet">
            {data && countWords(data, tab.statuses)}
          </span>
        </Link>
      ))}
    </nav>
  );
}
