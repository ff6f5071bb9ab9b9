import { Link, useSearch } from '@tanstack/react-router';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { groupDigits } from '../../format/amount.ts';
import { useZone } from '../../format/time-zone.ts';
import { t } from '../../texts/t.ts';
import { Bars } from '../../ui/chart/bars.tsx';
import { ChartCard } from '../../ui/chart/chart-card.tsx';
import { useActive } from '../../ui/chart/use-active.ts';
import { Money } from '../../ui/display/money.tsx';
import { PaymentsLink } from './payments-link.tsx';
import type { Currency, Overview } from './queries.ts';
import { compactText, dayPoints, dayText, isToday } from './words.ts';

/** The order of currencies that were used on equally many days. */
const currencies: readonly Currency[] = ['USDC', 'USDT', 'PI', 'CSK'];

/** Completed volume by day, one currency at a time: amounts of different currencies have no sum. */
export function VolumeChart({ overview }: { overview: Overview }): ReactNode {
  const { by_day: byDay, volume } = overview;
  const daysOf = (each: Currency): number => byDay.filter((day) => day.volume[each] !== undefined).length;
  const used = currencies
    .filter((each) => volume[each] !== undefined)
    .toSorted((one, other) => daysOf(other) - daysOf(one));
  const { currency: chosen } = useSearch({ from: '/shell/i/$integration/$mode/overview' });
  const currency = chosen ?? used[0] ?? 'USDC';
  const [active, setActive] = useActive(byDay.length);
  const amountOf = (index: number): string => byDay[index]?.volume[currency] ?? '0';
  const { day } = byDay[active]!;
  const zone = useZone();
  return (
    <ChartCard
      title={t('Volume')}
      description={t('Completed payments by the day they were created, at their nominal amounts.')}
      className="lg:col-span-2"
      aside={<Currencies shown={used.length > 0 ? used : [currency]} {...{ currency, volume }} />}
      table={{
        heads: [t('Day'), ...currencies],
        rows: byDay.map((each) => [each.day, ...currencies.map((code) => each.volume[code] ?? '0')]),
      }}
      readout={
        <>
          <span>{dayText(day, zone)}</span>
          <Money amount={amountOf(active)} currency={currency} className="font-semibold" />
          <PaymentsLink search={{ status: ['completed'], currency: [currency], from: day, to: day }}>
            {t('Show payments')}
          </PaymentsLink>
        </>
      }
    >
      <Bars
        points={dayPoints(byDay)}
        // Floats only draw the bars. The text shows the exact decimal.
        series={[{ key: currency, tone: 'accent', values: byDay.map((_, index) => Number(amountOf(index))) }]}
        tickText={compactText}
        sentence={t('Bars of completed {currency} for {days} days, {volume} {currency} in all', {
          currency,
          days: byDay.length,
          volume: groupDigits(volume[currency] ?? '0'),
        })}
        readout={`${dayText(day, zone)}: ${groupDigits(amountOf(active))} ${currency}`}
        active={active}
        onActive={setActive}
        height={220}
        lastIsOpen={isToday(byDay.at(-1)?.day, zone)}
      />
    </ChartCard>
  );
}

type CurrenciesProps = { shown: readonly Currency[]; currency: Currency; volume: Overview['volume'] };

/** The total of each currency; pressing one draws it. */
function Currencies({ shown, currency, volume }: CurrenciesProps): ReactNode {
  return (
    <nav aria-label={t('Currency')} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      {shown.map((each) => (
        <Link
          key={each}
          to="."
          search={(search) => ({ ...search, currency: each })}
          replace
          resetScroll={false}
          activeProps={{}}
          aria-current={each === currency ? 'true' : undefined}
          className={clsx(
            'overflow-hidden rounded-lg border px-3 py-2 font-semibold sm:text-base',
            each === currency ? 'border-accent bg-accent-soft' : 'border-line hover:border-line-strong',
          )}
        >
          <Money amount={volume[each] ?? '0'} currency={each} />
        </Link>
      ))}
    </nav>
  );
}
