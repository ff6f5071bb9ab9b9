import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { Stat } from '../../ui/display/stat.tsx';
import type { PaymentsSearch } from '../payments/search.ts';
import { PaymentsLink } from './payments-link.tsx';
import type { Overview } from './queries.ts';
import { countText, rateText, spanText } from './words.ts';

/** Counts and rates of the chosen days; each links to its payments. */
export function Stats({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, counts, success, completion, now, days } = overview;
  const range = { from: byDay[0]!.day, to: byDay.at(-1)!.day };
  const created = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Stat
        label={t('Completed')}
        value={<Rows search={{ status: ['completed'], ...range }}>{countText(counts.completed ?? 0)}</Rows>}
        hint={t('of {created} created', { created: countText(created) })}
      />
      <Stat
        label={t('Success rate')}
        value={
          <Rows search={{ status: ['completed', 'failed', 'cancelled'], ...range }}>
            {rateText(success.rate)}
          </Rows>
        }
        hint={
          success.previous.rate === null
            ? t('of payments that ended')
            : t('{rate} in the {days} days before', { rate: rateText(success.previous.rate), days })
        }
      />
      <Stat
        label={t('Time to complete')}
        value={
          <Rows search={{ status: ['completed'], ...range }}>{spanText(completion.median_seconds)}</Rows>
        }
        hint={
          completion.payments === 0
            ? t('nothing completed yet')
            : t('median of the last {payments}', { payments: countText(completion.payments) })
        }
      />
      <Stat
        label={t('Pending now')}
        value={<Rows search={{ status: ['pending'] }}>{countText(now.pending)}</Rows>}
        hint={t('seen, not final yet')}
      />
      <Stat
        label={t('Part paid now')}
        value={
          <Rows search={{ unusual: 'part_paid', status: ['linked', 'pending', 'in-appeal'] }}>
            {countText(now.part_paid)}
          </Rows>
        }
        tone={now.part_paid > 0 ? 'waiting' : 'ink'}
        hint={t('received less than is due')}
      />
      <Stat
        label={t('In appeal now')}
        value={<Rows search={{ status: ['in-appeal'] }}>{countText(now.in_appeal)}</Rows>}
        tone={now.in_appeal > 0 ? 'waiting' : 'ink'}
        hint={t('waiting for a decision')}
      />
    </div>
  );
}

function Rows({ search, children }: { search: PaymentsSearch; children: ReactNode }): ReactNode {
  return (
    <PaymentsLink search={search} className="row-link">
      {children}
    </PaymentsLink>
  );
}
