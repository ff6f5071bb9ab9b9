import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { amountText } from '../../format/amount.ts';
import { priceAmount } from '../../format/price.ts';
import { useZone } from '../../format/time-zone.ts';
import { counted, t } from '../../texts/t.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import { Money } from '../../ui/display/money.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { PaymentsLink } from './payments-link.tsx';
import type { Currency, Overview } from './queries.ts';
import { VolumeChoices } from './volume-choices.tsx';
import { compactText, dayPoints, dayText, isToday } from './words.ts';

/** The order of currencies that were used on equally many days. */
const currencies: readonly Currency[] = ['USDC', 'USDT', 'PI', 'CSK'];

type Sums = Pick<Overview, 'volume' | 'prices'>;
type Total = { amount: string; count?: number };

/** What was paid of a coin, or what was asked in the prices of a currency. */
function totalOf({ volume, prices }: Sums, code: string): Total {
  const price = prices.find(({ currency }) => currency === code);
  if (price) return { amount: priceAmount(price.amount, code), count: price.count };
  return { amount: volume[code as Currency] ?? '0' };
}

/** Completed volume by day, one currency at a time: amounts of different currencies have no sum, and what was paid none with prices. */
export function VolumeChart({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, volume, prices } = overview;
  const daysOf = (each: Currency): number => byDay.filter((day) => day.volume[each] !== undefined).length;
  const paid = currencies
    .filter((each) => volume[each] !== undefined)
    .toSorted((one, other) => daysOf(other) - daysOf(one));
  const asked = prices.map(({ currency }) => currency);
  const { currency: chosen } = useSearch({ from: '/shell/i/$integration/$mode/overview' });
  const known: readonly string[] = [...paid, ...asked];
  const code = known.find((each) => each === chosen) ?? known[0];
  if (code === undefined) return <NothingCompleted />;
  return <Volume {...{ overview, paid, asked, code }} />;
}

type VolumeProps = { overview: Overview; paid: readonly string[]; asked: readonly string[]; code: string };

function Volume({ overview, paid, asked, code }: VolumeProps): ReactNode {
  const { by_day: byDay } = overview;
  const [active, setActive] = useActive(byDay.length);
  const zone = useZone();
  const { day } = byDay[active]!;
  const totals = byDay.map((each) => totalOf(each, code));
  const { amount, count } = totals[active]!;
  const choices = (codes: readonly string[]) =>
    codes.map((each) => ({ code: each, ...totalOf(overview, each) }));
  return (
    <ChartCard
      title={t('Volume')}
      description={
        asked.includes(code)
          ? t('What completed payments asked in {code}, by the day they were created.', { code })
          : t('Completed payments by the day they were created, at their nominal amounts.')
      }
      className="lg:col-span-2"
      aside={<VolumeChoices paid={choices(paid)} asked={choices(asked)} code={code} />}
      table={{
        heads: [t('Day'), ...currencies, ...asked],
        rows: byDay.map((each) => [
          each.day,
          ...[...currencies, ...asked].map((one) => totalOf(each, one).amount),
        ]),
      }}
      readout={
        <>
          <span>{dayText(day, zone)}</span>
          <Money amount={amount} currency={code} className="font-semibold" />
          {count !== undefined && <span>{counted(count, 'in 1 payment', 'in {count} payments')}</span>}
          <PaymentsLink search={{ status: ['completed'], currency: [code], from: day, to: day }}>
            {t('Show payments')}
          </PaymentsLink>
        </>
      }
    >
      <Bars
        points={dayPoints(byDay)}
        // Floats only draw the bars. The text shows the exact decimal.
        series={[{ key: code, tone: 'accent', values: totals.map((total) => Number(total.amount)) }]}
        tickText={compactText}
        sentence={t('Bars of completed {currency} for {days} days, {volume} {currency} in all', {
          currency: code,
          days: byDay.length,
          volume: amountText(totalOf(overview, code).amount),
        })}
        readout={`${dayText(day, zone)}: ${amountText(amount)} ${code}`}
        active={active}
        onActive={setActive}
        height={220}
        lastIsOpen={isToday(byDay.at(-1)?.day, zone)}
      />
    </ChartCard>
  );
}

/** In place of bars that are all empty. */
function NothingCompleted(): ReactNode {
  return (
    <Card title={t('Volume')} className="lg:col-span-2">
      <p className="text-sm text-quiet">
        {t(
          'No payment of these days was completed. What is paid is shown here by day, and so are the prices that were asked in other money.',
        )}
      </p>
    </Card>
  );
}
