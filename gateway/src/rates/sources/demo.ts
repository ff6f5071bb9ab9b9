import { currencies } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { over, unitsOfRate } from '../../money/rate-units.ts';
import { rateScale } from '../../money/rates.ts';
import type { RateSource } from './source.ts';

/** What coins and price currencies are worth in USD in test mode and on demo networks; in test mode all others are one. */
export const builtinUsd: Readonly<Record<string, string>> = {
  ...{ PI: '1', CSK: '1', USDC: '1', USDT: '1' },
  ...{ USD: '1', EUR: '1.25', GBP: '1.25', JPY: '0.01' },
};

/** The rates of demo networks, whose coins are worth nothing; `usd` replaces some of them. */
export function demo(usd: Readonly<Record<string, string>>): RateSource {
  const unitsIn = (table: Readonly<Record<string, string>>, code: string) => unitsOfRate(table[code] ?? '');
  return {
    name: 'demo',
    quotesCoins: true,
    everySeconds: 30,
    async ask() {
      const coins = currencies.map((currency) => ({
        currency,
        priceCurrency: 'USD',
        value: usd[currency] ?? builtinUsd[currency],
      }));
      const fiat = ['EUR', 'GBP', 'JPY'].map((priceCurrency) => ({
        currency: 'USD',
        priceCurrency,
        value: decimalOf(
          over(unitsIn(builtinUsd, 'USD') ?? 0n, unitsIn(builtinUsd, priceCurrency) ?? 1n),
          rateScale,
        ),
      }));
      return [...coins, ...fiat];
    },
  };
}
