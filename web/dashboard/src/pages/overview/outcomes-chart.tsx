import type { ReactNode } from 'react';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';
import { withinSentence } from '../../texts/within-sentence.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { Legend } from '../../ui/chart/legend.tsx';
import type { ChartTone } from '../../ui/chart/tones.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import { type PaymentStatus, paymentStatuses, statusWord } from '../../ui/display/status-badge.tsx';
import { PaymentsLink } from './payments-link.tsx';
import type { Overview } from './queries.ts';
import { compactText, countText, dayPoints, dayText, isToday } from './words.ts';

type Outcome = { key: string; word: string; tone: ChartTone; statuses: PaymentStatus[] };

/** Statuses in groups: a payment that waits for the customer or the chain is open. */
const outcomes: readonly Outcome[] = [
  { key: 'completed', word: t('Completed'), tone: 'paid', statuses: ['completed'] },
  { key: 'open', word: t('Open'), tone: 'waiting', statuses: ['unlinked', 'linked', 'pending'] },
  { key: 'in-appeal', word: t('In appeal'), tone: 'appeal', statuses: ['in-appeal'] },
  { key: 'failed', word: t('Failed'), tone: 'lost', statuses: ['failed'] },
  { key: 'cancelled', word: t('Cancelled'), tone: 'quiet', statuses: ['cancelled'] },
];

/** How many payments were created by day, and with which outcome. */
export function OutcomesChart({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, counts } = overview;
  const zone = useZone();
  const [active, setActive] = useActive(byDay.length);
  const range = { from: byDay[0]!.day, to: byDay.at(-1)!.day };
  const { day, counts: ofDay } = byDay[active]!;
  const words = outcomes
    .map((outcome) => ({ ...outcome, count: countIn(ofDay, outcome) }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${countText(count)} ${withinSentence(word)}`);
  const said = words.length === 0 ? t('none') : words.join(', ');
  return (
    <ChartCard
      title={t('Payments')}
      description={t('By the day they were created, with their status now.')}
      aside={
        <Legend
          entries={outcomes.map((outcome) => ({
            key: outcome.key,
            tone: outcome.tone,
            label: (
              <PaymentsLink
                search={{ status: outcome.statuses, ...range }}
                className="tabular-nums underline-offset-4 hover:underline"
              >
                {outcome.word} {countText(countIn(counts, outcome))}
              </PaymentsLink>
            ),
          }))}
        />
      }
      table={{
        heads: [t('Day'), ...paymentStatuses.map(statusWord)],
        rows: byDay.map((each) => [
          each.day,
          ...paymentStatuses.map((status) => `${each.counts[status] ?? 0}`),
        ]),
      }}
      readout={
        <>
          <span>{dayText(day, zone)}</span>
          <span>{said}</span>
          <PaymentsLink search={{ from: day, to: day }}>{t('Show payments')}</PaymentsLink>
        </>
      }
    >
      <Bars
        points={dayPoints(byDay)}
        series={outcomes.map((outcome) => ({
          key: outcome.key,
          tone: outcome.tone,
          values: byDay.map((each) => countIn(each.counts, outcome)),
        }))}
        tickText={compactText}
        whole
        sentence={t('Bars of payments for {days} days: {outcomes}', {
          days: byDay.length,
          outcomes: outcomes
            .map((outcome) => `${countText(countIn(counts, outcome))} ${withinSentence(outcome.word)}`)
            .join(', '),
        })}
        readout={`${dayText(day, zone)}: ${said}`}
        lastIsOpen={isToday(byDay.at(-1)?.day, zone)}
        active={active}
        onActive={setActive}
      />
    </ChartCard>
  );
}

function countIn(counts: Overview['counts'], { statuses }: Outcome): number {
  return statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
}
