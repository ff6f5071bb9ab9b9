import { at, jsonOf, type RateSource } from './source.ts';

const pairs = ['USDC/USD', 'USDC/EUR', 'USDT/USD', 'USDT/EUR'];

/**
 * Bitstamp's tickers: `GET /api/v2/ticker/` answers a list with `{"pair": "USDC/USD", "last": "0.99990", "timestamp":
 * "1764441000", ...}` for each market. Without a key; 8000 calls in ten minutes.
 */
export function bitstamp(origin: string): RateSource {
  return {
    name: 'bitstamp',
    quotesCoins: true,
    everySeconds: 30,
    async ask(get) {
      const body = jsonOf(await get(`${origin}/api/v2/ticker/`));
      if (!Array.isArray(body)) throw new Error('answered in another form');
      return body.flatMap((ticker: unknown) => {
        const pair = pairs.find((each) => each === at(ticker, 'pair'));
        const [currency = '', priceCurrency = ''] = pair?.split('/') ?? [];
        return pair ? [{ currency, priceCurrency, value: at(ticker, 'last') }] : [];
      });
    },
  };
}
