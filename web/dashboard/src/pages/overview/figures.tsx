import type { ReactNode } from 'react';
import { counted, t } from '../../texts/t.ts';
import { Money } from '../../ui/display/money.tsx';
import { Stat } from '../../ui/display/stat.tsx';
import type { PaymentsSearch } from '../payments/search.ts';
import { PaymentsLink } from './payments-link.tsx';
import type { Overview } from './queries.ts';
import { paidCoins } from './sums.ts';
import { countText, hasValue, rateText, spanText } from './words.ts';

/** What came in, how many payments of those that ended were completed, and what is open: each leads to its payments. */
export function Figures({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, counts, success, completion, now, days } = overview;
  const range = { from: byDay[0]?.day ?? '', to: byDay.at(-1)?.day ?? '' };
  const created = Object.values(counts).reduce((sum, count) => sum + count, 0);
  // What was not counted to its end has a plus.
  const upTo = (count: number, text: string): string =>
    count < now.counted_up_to ? text : text.replace(`${count}`, `${count}+`);
  const open = countText(now.linked + now.pending);
  const before =
    success.previous.rate === null
      ? t('of payments that ended')
      : t('{rate} in the {days} days before', { rate: rateText(success.previous.rate), days });
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Stat
        label={t('Came in')}
        value={
          <Rows search={{ status: ['completed'], ...range }}>
            <CameIn overview={overview} />
          </Rows>
        }
        hint={t('{completed} of {payments} payments completed', {
          completed: countText(counts.completed ?? 0),
          payments: countText(created),
        })}
      />
      <Stat
        label={t('Success rate')}
        value={
          <Rows search={{ status: ['completed', 'failed', 'cancelled'], ...range }}>
            {rateText(success.rate)}
          </Rows>
        }
        hint={
          completion.payments === 0
            ? before
            : `${before}, ${t('half were completed within {span}', { span: spanText(completion.median_seconds) })}`
        }
      />
      <Stat
        label={t('Open now')}
        value={
          <Rows search={{ status: ['linked', 'pending'] }}>
            {Math.max(now.linked, now.pending) < now.counted_up_to ? open : `${open}+`}
          </Rows>
        }
        tone={now.part_paid + now.in_appeal > 0 ? 'waiting' : 'ink'}
        hint={
          now.part_paid + now.in_appeal === 0
            ? t('none is part paid or in appeal')
            : `${upTo(now.part_paid, counted(now.part_paid, '1 part paid', '{count} part paid'))}, ${upTo(now.in_appeal, counted(now.in_appeal, '1 in appeal', '{count} in appeal'))}`
        }
      />
    </div>
  );
}

/** The value of what came in; without a rate of any coin, the coins themselves. */
function CameIn({ overview }: { overview: Overview }): ReactNode {
  const { amount, currency } = overview.value;
  const coins = paidCoins(overview);
  if (hasValue(overview) || coins.length === 0) return <Money amount={amount} currency={currency} />;
  return coins.map((coin) => (
    <Money key={coin} amount={overview.volume[coin] ?? '0'} currency={coin} className="block" />
  ));
}

function Rows({ search, children }: { search: PaymentsSearch; children: ReactNode }): ReactNode {
  return (
    <PaymentsLink search={search} className="row-link">
      {children}
    </PaymentsLink>
  );
}
