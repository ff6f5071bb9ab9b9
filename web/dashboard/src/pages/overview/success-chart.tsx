import type { ReactNode } from 'react';
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
  const said = `${countText(counts.completed ?? 0)} of ${countText(endedOf(byDay[active]!))}`;
  return (
    <ChartCard
      title="Success rate"
      description="Completed payments, of all that ended. Open payments do not count."
      table={{
        heads: ['Day', 'Completed', 'Ended', 'Success rate'],
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
          <PaymentsLink search={{ status: [...ends], from: day, to: day }}>Show payments</PaymentsLink>
        </>
      }
    >
      <Line
        tone="paid"
        points={dayPoints(byDay)}
        values={rates}
        max={1}
        tickText={rateText}
        sentence={`Line of the success rate for ${byDay.length} days, ${rateText(success.rate)} in all`}
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
