import type { ReactNode } from 'react';
import { t } from '../../texts/t.ts';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { Line } from '../../ui/chart/line.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import { PaymentsLink } from './payments-link.tsx';
import type { Overview, OverviewDay } from './queries.ts';
import { countText, dayPoints, longDay, rateText } from './words.ts';

const ends = ['completed', 'failed', 'cancelled'] as const;

/** Of the payments that ended, how many were completed. */
export function SuccessChart({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, success } = overview;
  const [active, setActive] = useActive(byDay.length);
  const rates = byDay.map(rateOf);
  const { day, counts } = byDay[active]!;
  const said = t('{completed} of {byDay}', {
    completed: countText(counts.completed ?? 0),
    byDay: countText(endedOf(byDay[active]!)),
  });
  return (
    <ChartCard
      title={t('Success rate')}
      description={t('Completed payments, of all that ended. Open payments do not count.')}
      table={{
        heads: [t('Day'), t('Completed'), t('Ended'), t('Success rate')],
        rows: byDay.map((each) => [
          each.day,
          `${each.counts.completed ?? 0}`,
          `${endedOf(each)}`,
          rateText(rateOf(each)),
        ]),
      }}
      readout={
        <>
          <span>{longDay(day)}</span>
          <span className="font-semibold">{rateText(rates[active] ?? null)}</span>
          <span>{said}</span>
          <PaymentsLink search={{ status: [...ends], from: day, to: day }}>{t('Show payments')}</PaymentsLink>
        </>
      }
    >
      <Line
        tone="paid"
        points={dayPoints(byDay)}
        values={rates}
        max={1}
        tickText={rateText}
        sentence={t('Line of the success rate for {days} days, {rate} in all', {
          days: byDay.length,
          rate: rateText(success.rate),
        })}
        readout={`${longDay(day)}: ${rateText(rates[active] ?? null)}, ${said}`}
        active={active}
        onActive={setActive}
        height={232}
      />
    </ChartCard>
  );
}

function endedOf({ counts }: OverviewDay): number {
  return ends.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}

function rateOf(day: OverviewDay): number | null {
  const ended = endedOf(day);
  return ended === 0 ? null : (day.counts.completed ?? 0) / ended;
}
