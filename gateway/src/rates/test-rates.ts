import type { Currency } from '../money/assets.ts';
import type { PriceCurrency } from '../money/price-currencies.ts';
import { over, unitsOfRate } from './rate-units.ts';

/** What coins and price currencies are worth in USD in test mode and on demo networks; in test mode all others are one. */
const builtinUsd: Readonly<Record<string, string>> = {
  ...{ PI: '1', CSK: '1', USDC: '1', USDT: '1' },
  ...{ USD: '1', EUR: '1.25', GBP: '1.25', JPY: '0.01' },
};

const usdUnits = (code: string): bigint => unitsOfRate(builtinUsd[code] ?? '1') ?? 0n;

/** The built-in rate of test mode, in units of a rate: the same always, so that tests of merchants are too. */
export function testRate(currency: Currency, priceCurrency: PriceCurrency): bigint {
  return over(usdUnits(currency), usdUnits(priceCurrency));
}
