import { isSome } from '../../format/decimals.ts';
import type { Currency, Overview, OverviewDay } from './queries.ts';

/** What a chart may draw: the value of all that came in, what was paid of a coin, or what came of the prices in a currency. */
export type Drawn = { kind: 'value' } | { kind: 'paid' | 'asked'; code: string };

/** A sum of a day or of all; `count`: of how many payments with a price. */
export type Sum = { amount: string; count?: number };

/** The order of currencies that were used on equally many days. */
const currencies: readonly Currency[] = ['USDC', 'USDT', 'PI', 'CSK'];

/** The coins that were paid, the one of most days first. */
export function paidCoins({ volume, by_day: byDay }: Pick<Overview, 'volume' | 'by_day'>): Currency[] {
  const daysOf = (each: Currency): number => byDay.filter((day) => day.volume[each] !== undefined).length;
  return currencies
    .filter((each) => volume[each] !== undefined)
    .toSorted((one, other) => daysOf(other) - daysOf(one));
}

export function sumOf(
  { value, volume, prices }: Pick<OverviewDay, 'value' | 'volume' | 'prices'>,
  drawn: Drawn,
): Sum {
  if (drawn.kind === 'value') return { amount: value.amount };
  if (drawn.kind === 'paid') return { amount: volume[drawn.code as Currency] ?? '0' };
  const price = prices.find(({ currency }) => currency === drawn.code);
  return price ? { amount: price.amount, count: price.count } : { amount: '0', count: 0 };
}

/** On how many days something came in, and the place of the day of most; null: on none. */
export function daysIn(amounts: readonly string[]): { count: number; most: number } | null {
  const some = amounts.filter(isSome).length;
  if (some === 0) return null;
  // Floats only compare; the text shows the exact decimal.
  const values = amounts.map(Number);
  return { count: some, most: values.indexOf(Math.max(...values)) };
}
