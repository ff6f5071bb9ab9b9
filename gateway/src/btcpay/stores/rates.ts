import type { ApiKey } from '../../identity/keys/keys.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Currency, currencies, isCurrency } from '../../money/assets.ts';
import { isPriceCurrency, type PriceCurrency, usDollar } from '../../money/price-currencies.ts';
import { readRates } from '../../rates/read-rates.ts';

type Pair = { name: string; currency: Currency; priceCurrency: PriceCurrency };

/** A pair such as `USDC_EUR`: coin, then the money that it is worth; null for any other. */
function pairOf(name: string): Pair | null {
  const [currency, priceCurrency, ...more] = name.toUpperCase().split('_');
  if (!isCurrency(currency) || !isPriceCurrency(priceCurrency) || more.length > 0) return null;
  return { name, currency, priceCurrency };
}

const defaultPairs = currencies.map((currency) => `${currency}_${usDollar}`);

/** The rates of pairs, those of all coins in USD where none is named: `rate` is a decimal, null where there is none. */
export async function ratesView(
  reader: Reader,
  { integration, mode }: ApiKey,
  names: readonly string[],
  now: Date,
) {
  const wanted = names.length > 0 ? names : defaultPairs;
  const pairs = wanted.flatMap((name) => pairOf(name) ?? []);
  const owned = pairs.map(({ currency, priceCurrency }) => ({
    ...{ integrationId: integration.id, mode, currency, priceCurrency },
  }));
  const found = await readRates(reader, owned, now);
  const rates = new Map(pairs.map(({ name }, index) => [name, found[index]?.rate ?? null]));
  return wanted.map((name) => {
    const rate = rates.get(name) ?? null;
    const errors =
      rate !== null ? [] : [rates.has(name) ? 'There is no rate now' : 'Name a coin, then a currency'];
    return { currencyPair: name, errors, rate };
  });
}
