import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { over, unitsOfRate } from '../money/rate-units.ts';
import { builtinUsd } from './sources/demo.ts';

const usdUnits = (code: string): bigint => unitsOfRate(builtinUsd[code] ?? '1') ?? 0n;

/** The built-in rate of test mode, in units of a rate: the same always, so that tests of merchants are too. */
export function testRate(currency: Currency, priceCurrency: PriceCurrency): bigint {
  return over(usdUnits(currency), usdUnits(priceCurrency));
}
