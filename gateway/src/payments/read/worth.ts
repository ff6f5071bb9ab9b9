import type { Owner } from '../../identity/owner.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';
import { rateUnits } from '../../money/rates.ts';
import { accountingCurrencyOf, readPastRates } from '../../rates/history.ts';
import type { Group } from './groups.ts';
import type { Day } from './period.ts';

/** A sum in the accounting currency, as a decimal. `without`: coins of which something has no rate, and is not in it. */
export type Worth = { amount: string; without: Currency[] };

type Summed = Pick<Group, 'n' | 'price_currency' | 'units' | 'price_units'> & { currency: Currency };

/**
 * What completed payments were worth in the accounting currency of now, on each day and on all of them. Of a payment that asks a
 * price in that currency it is what came of the price; of all others what came at the last rate of their day.
 */
export async function worthOf(
  reader: Reader,
  owner: Owner,
  { days, groups }: { days: readonly Day[]; groups: readonly Group[] },
  now: Date,
): Promise<{ currency: PriceCurrency; all: Worth; byDay: Worth[] }> {
  const currency = await accountingCurrencyOf(reader, owner.integrationId, now);
  const summed = groups.flatMap((group): Summed[] =>
    group.currency === null || group.units === 0n ? [] : [{ ...group, currency: group.currency }],
  );
  const wanted = summed.map(({ currency: coin, n }) => ({ currency: coin, at: lastOf(days[n - 1], now) }));
  const rates = await readPastRates(reader, owner, wanted, currency);
  const digits = minorDigits(currency);
  const valued = summed.map((each, index) => {
    const { currency: coin, price_currency, price_units, units, n } = each;
    if (price_currency === currency) return { n, coin, units: price_units };
    const rate = rateUnits(rates[index]?.rate ?? '');
    return { n, coin, units: rate === null ? null : worthAt(units, currencyScale[coin], rate, digits) };
  });
  const sum = (some: typeof valued): Worth => ({
    amount: decimalOf(
      some.reduce((all, { units }) => all + (units ?? 0n), 0n),
      digits,
    ),
    without: [...new Set(some.flatMap(({ coin, units }) => (units === null ? [coin] : [])))].sort(),
  });
  return {
    currency,
    all: sum(valued),
    byDay: days.map((_, index) => sum(valued.filter(({ n }) => n === index + 1))),
  };
}

/** The last moment of a day that has been. */
function lastOf(day: Day | undefined, now: Date): Date {
  return day === undefined || day.to > now ? now : after(day.to, -0.001);
}
