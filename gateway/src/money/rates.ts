import type { Currency } from './assets.ts';
import { unitsOfDecimal } from './money.ts';

/** USD for one unit of a currency, as a decimal string; null: nobody ever said one. */
export type Rates = (currency: Currency) => string | null;

/** The decimals of a rate in `rateUnits`. */
export const rateScale = 12;

/** A rate in whole units at `rateScale`; null: it is no decimal. */
export const rateUnits = (rate: string): bigint | null => unitsOfDecimal(rate, rateScale);

/** True for a rate that can be counted with: a positive decimal. */
export function isRate(text: string): boolean {
  return (rateUnits(text) ?? 0n) > 0n;
}
