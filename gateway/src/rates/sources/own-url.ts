import { type Heard, jsonOf, objectAt, type RateSource } from './source.ts';

/**
 * An address of the operator's own. It answers what one of each is worth: `{"PI": "0.42", "USDC": {"USD": 1, "EUR":
 * "0.92"}, "USD": {"EUR": "0.92"}}`; a value that is no object is in USD.
 */
export function ownUrl(url: string, name: string): RateSource {
  return {
    name,
    quotesCoins: true,
    everySeconds: 30,
    async ask(get) {
      const body = objectAt(jsonOf(await get(url)));
      return Object.entries(body).flatMap(([currency, said]): Heard[] => {
        if (typeof said !== 'object' || said === null)
          return [{ currency, priceCurrency: 'USD', value: said }];
        return Object.entries(said).map(([priceCurrency, value]) => ({ currency, priceCurrency, value }));
      });
    },
  };
}
