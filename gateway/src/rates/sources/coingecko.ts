import { at, jsonOf, objectAt, type RateSource, tradedIn } from './source.ts';

const ids: Readonly<Record<string, string>> = { PI: 'pi-network', USDC: 'usd-coin', USDT: 'tether' };

/**
 * CoinGecko's prices, themselves an average of exchanges: `GET /api/v3/simple/price?ids=tether&vs_currencies=eur` answers
 * `{"tether": {"eur": 0.92, "last_updated_at": 1764441000}}`. Without a key; its public limit is a few calls a minute.
 */
export function coingecko(origin: string): RateSource {
  return {
    name: 'coingecko',
    quotesCoins: true,
    everySeconds: 60,
    async ask(get) {
      const query = new URLSearchParams({
        ids: Object.values(ids).join(),
        vs_currencies: tradedIn.join().toLowerCase(),
        include_last_updated_at: 'true',
        precision: 'full',
      });
      const body = objectAt(jsonOf(await get(`${origin}/api/v3/simple/price?${query}`)));
      return Object.entries(ids).flatMap(([currency, id]) => {
        const seconds = at(body, id, 'last_updated_at');
        const when = typeof seconds === 'number' ? { at: new Date(seconds * 1000) } : {};
        return tradedIn.flatMap((priceCurrency) => {
          const value = at(body, id, priceCurrency.toLowerCase());
          return value === undefined ? [] : [{ currency, priceCurrency, value, ...when }];
        });
      });
    },
  };
}
