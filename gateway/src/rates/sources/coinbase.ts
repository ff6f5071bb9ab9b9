import { priceCurrencies } from '../../money/price-currencies.ts';
import { type Heard, jsonOf, objectAt, type RateSource, tradedIn } from './source.ts';

/**
 * Coinbase's exchange rates: `GET /v2/exchange-rates?currency=USDC` answers `{"data": {"currency": "USDC", "rates":
 * {"EUR": "0.92", ...}}}`, with every currency that it knows. Without a key; some thousand calls an hour.
 */
export function coinbase(origin: string): RateSource {
  return {
    name: 'coinbase',
    quotesCoins: true,
    everySeconds: 30,
    async ask(get) {
      const of = async (currency: string, wanted: readonly string[]): Promise<Heard[]> => {
        const body = jsonOf(await get(`${origin}/v2/exchange-rates?currency=${currency}`));
        const rates = objectAt(body, 'data', 'rates');
        return wanted.flatMap((priceCurrency) =>
          Object.hasOwn(rates, priceCurrency)
            ? [{ currency, priceCurrency, value: rates[priceCurrency] }]
            : [],
        );
      };
      const fiat = priceCurrencies.filter((code) => code !== 'USD');
      return (await Promise.all([of('USDC', tradedIn), of('USDT', tradedIn), of('USD', fiat)])).flat();
    },
  };
}
