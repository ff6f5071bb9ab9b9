import { at, jsonOf, objectAt, type RateSource } from './source.ts';

/** Kraken's names of pairs, as they stand in its answers. */
const pairs: Readonly<Record<string, [currency: string, priceCurrency: string]>> = {
  USDCUSD: ['USDC', 'USD'],
  USDCEUR: ['USDC', 'EUR'],
  USDCGBP: ['USDC', 'GBP'],
  USDTZUSD: ['USDT', 'USD'],
  USDTEUR: ['USDT', 'EUR'],
  USDTGBP: ['USDT', 'GBP'],
};

/**
 * Kraken's ticker: `GET /0/public/Ticker?pair=A,B` answers `{"error": [], "result": {"A": {"c": ["0.9998", "120.5"],
 * ...}}}`, where `c` is the last trade, its price first. Without a key; one call a second.
 */
export function kraken(origin: string): RateSource {
  return {
    name: 'kraken',
    quotesCoins: true,
    everySeconds: 30,
    async ask(get) {
      const body = jsonOf(await get(`${origin}/0/public/Ticker?pair=${Object.keys(pairs).join(',')}`));
      const errors = at(body, 'error');
      if (Array.isArray(errors) && errors.length > 0) {
        throw new Error(`refused: ${String(errors[0]).slice(0, 80)}`);
      }
      const result = objectAt(body, 'result');
      return Object.entries(pairs).flatMap(([pair, [currency, priceCurrency]]) =>
        Object.hasOwn(result, pair) ? [{ currency, priceCurrency, value: at(result, pair, 'c', '0') }] : [],
      );
    },
  };
}
