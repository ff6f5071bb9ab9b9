import type { CallOptions } from './exchange.ts';
import type { Call } from './request.ts';

/** The calls about rates (contract.md#prices). Each throws FlorinError. */
export function rateCalls(call: Call) {
  return {
    /** What each currency is worth in a price currency (ISO 4217), now; a currency without a rate is left out. */
    list: (priceCurrency: string, options: CallOptions = {}) =>
      call('GET /rates', { query: { price_currency: priceCurrency }, ...options }),
  };
}
