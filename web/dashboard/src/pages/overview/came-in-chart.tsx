import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { amountText } from '../../format/amount.ts';
import { useZone } from '../../format/time-zone.ts';
import { counted, t } from '../../texts/t.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import { Money } from '../../ui/display/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { CameInChoices, type Choice, nameOf } from './came-in-choices.tsx';
import { PaymentsLink } from './payments-link.tsx';
import type { Overview } from './queries.ts';
import { type Drawn, daysIn, paidCoins, sumOf } from './sums.ts';
import { compactText, dayPoints, dayText, hasValue, isToday, longDay } from './words.ts';

/** What came in by day: its value, or one currency at a time, since amounts of different currencies have no sum. */
export function CameInChart({ overview }: { overview: Overview }): ReactNode {
  const { value, prices } = overview;
  const { currency: asked } = useSearch({ from: '/shell/i/$integration/$mode/overview' });
  const all: Drawn[] = [
    ...(hasValue(overview) ? [{ kind: 'value' } as const] : []),
    ...paidCoins(overview).map((code) => ({ kind: 'paid', code }) as const),
    ...prices.map(({ currency: code }) => ({ kind: 'asked', code }) as const),
  ];
  const choices = all.map((drawn) => ({
    drawn,
    code: drawn.kind === 'value' ? value.currency : drawn.code,
    ...sumOf(overview, drawn),
  }));
  const chosen = choices.find(({ drawn }) => nameOf(drawn) === asked) ?? choices[0];
  return chosen ? <Chart {...{ overview, choices, chosen }} /> : <NothingCompleted />;
}

type ChartProps = { overview: Overview; choices: readonly Choice[]; chosen: Choice };

function Chart({ overview, choices, chosen }: ChartProps): ReactNode {
  const { by_day: byDay } = overview;
  const { drawn, code } = chosen;
  const [active, setActive] = useActive(byDay.length);
  const zone = useZone();
  const sums = byDay.map((each) => sumOf(each, drawn));
  const day = byDay[active]?.day ?? '';
  const { amount, count } = sums[active] ?? { amount: '0' };
  const money = (each: string): string => `${amountText(each, code)} ${code}`;
  const summary = summaryOf(overview, chosen, money);
  return (
    <ChartCard
      title={t('Came in by day')}
      description={
        <>
          <span className="text-ink">{summary}</span> {explained(overview, chosen)}
        </>
      }
      aside={choices.length > 1 && <CameInChoices choices={choices} drawn={drawn} />}
      table={tableOf(overview, choices)}
      readout={
        <>
          <span>{dayText(day, zone)}</span>
          <Money amount={amount} currency={code} className="font-semibold" />
          {count !== undefined && <span>{counted(count, 'in 1 payment', 'in {count} payments')}</span>}
          <PaymentsLink
            search={{
              status: ['completed'],
              ...(drawn.kind !== 'value' && { currency: [code] }),
              ...{ from: day, to: day },
            }}
          >
            {t('Show payments')}
          </PaymentsLink>
        </>
      }
    >
      <Bars
        points={dayPoints(byDay)}
        // Floats only draw the bars. The text shows the exact decimal.
        series={[{ key: code, tone: 'accent', values: sums.map((sum) => Number(sum.amount)) }]}
        tickText={compactText}
        sentence={summary}
        readout={`${dayText(day, zone)}: ${money(amount)}`}
        active={active}
        onActive={setActive}
        height={220}
        lastIsOpen={isToday(byDay.at(-1)?.day, zone)}
      />
    </ChartCard>
  );
}

/** The chart in a sentence, to be read or read aloud. */
function summaryOf(
  { by_day: byDay }: Overview,
  { drawn, amount }: Choice,
  money: (amount: string) => string,
): string {
  const amounts = byDay.map((each) => sumOf(each, drawn).amount);
  const found = daysIn(amounts);
  const sum = money(amount);
  if (byDay.length === 1) return t('{sum} came in today so far.', { sum });
  if (found === null) return t('{sum} came in.', { sum });
  return t('{sum} came in on {count} of {days} days, most of it on {day}: {most}.', {
    ...{ sum, count: found.count, days: byDay.length },
    ...{ day: longDay(byDay[found.most]?.day ?? ''), most: money(amounts[found.most] ?? '0') },
  });
}

/** What is added up. */
function explained({ value }: Overview, { drawn, code }: Choice): string {
  if (drawn.kind === 'paid') return t('Completed payments by the day they were created.');
  if (drawn.kind === 'asked')
    return t('What completed payments asked in {code}, by the day they were created.', { code });
  const said = t(
    'Completed payments by the day they were created: prices in {code} as they are, all else at the last rate of its day.',
    { code },
  );
  return value.without.length === 0
    ? said
    : `${said} ${t('Not all of {coins} is in it: there was no rate.', { coins: value.without.join(', ') })}`;
}

/** All that can be drawn, day by day, beside how many payments were completed and created. */
function tableOf({ by_day: byDay }: Overview, choices: readonly Choice[]) {
  const heads = {
    value: (code: string) => t('Value in {code}', { code }),
    paid: (code: string) => code,
    asked: (code: string) => t('{code} in prices', { code }),
  };
  return {
    heads: [
      t('Day'),
      ...choices.map(({ drawn, code }) => heads[drawn.kind](code)),
      ...[t('Completed'), t('Created')],
    ],
    currencies: [null, ...choices.map(({ code }) => code), null, null],
    rows: byDay.map((each) => [
      each.day,
      ...choices.map(({ drawn }) => sumOf(each, drawn).amount),
      `${each.counts.completed ?? 0}`,
      `${Object.values(each.counts).reduce((sum, count) => sum + count, 0)}`,
    ]),
  };
}

/** In place of bars that are all empty. */
function NothingCompleted(): ReactNode {
  return (
    <Card title={t('Came in by day')}>
      <p className="text-sm text-quiet">
        {t('No payment of these days was completed. What comes in is shown here by day.')}
      </p>
    </Card>
  );
}
