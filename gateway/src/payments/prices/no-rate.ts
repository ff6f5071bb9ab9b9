import { Refusal, refuse } from '../../kit/errors.ts';
import type { Currency } from '../../money/assets.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { paymentErrors } from '../payment/errors.ts';

/** Sources are asked again within a minute. */
const retrySeconds = 60;

/** The refusal of a price that no rate quotes in this currency; null: in any. */
export function noRate(priceCurrency: PriceCurrency, currency: Currency | null): Refusal {
  const { row, message } =
    currency === null
      ? refuse(paymentErrors.no_rates, { price_currency: priceCurrency })
      : refuse(paymentErrors.no_rate, { currency, price_currency: priceCurrency });
  return new Refusal(row, message, { headers: { 'retry-after': `${retrySeconds}` } });
}
