import { getIntegration } from '../../identity/integration.ts';
import { isDirectIn } from '../../identity/own-addresses.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Currency } from '../../money/assets.ts';
import { usDollar } from '../../money/price-currencies.ts';
import { readRates } from '../../rates/read-rates.ts';
import { readCurrencyTerms } from '../payment/currency-terms.ts';
import type { Payment } from '../payment/payment.ts';
import { ownTolerance } from '../payment/tolerance.ts';
import { type Quote, quoteOf } from './quote.ts';

/** A currency that pays a priced payment. `quote`: the one that was made; else what it would be now; null: there is no rate. */
export type Choice = { currency: Currency; quote: Quote | null };

/** What the customer of a priced payment may choose from, in the order in which the merchant said; `known` are its quotes. */
export async function choicesOf(
  reader: Reader,
  payment: Payment,
  known: readonly Quote[],
  now: Date,
): Promise<Choice[]> {
  const offered = payment.choices ?? known.map(({ currency }) => currency);
  const missing = offered.filter((currency) => !known.some((quote) => quote.currency === currency));
  const quoted = await quotesNow(reader, payment, missing, now);
  return offered.map((currency) => ({
    currency,
    quote: [...known, ...quoted].find((quote) => quote.currency === currency) ?? null,
  }));
}

/** What a price would come to now in each of these currencies that has a rate. */
export async function quotesNow(
  reader: Reader,
  { price, integrationId, mode, feePayer, shortPercent }: Payment,
  currencies: readonly Currency[],
  now: Date,
): Promise<Quote[]> {
  if (price === null || currencies.length === 0) return [];
  const integration = await getIntegration(reader, integrationId);
  const terms = await readCurrencyTerms(reader);
  const wanted = [price.currency, usDollar].flatMap((priceCurrency) =>
    currencies.map((currency) => ({ integrationId, mode, currency, priceCurrency })),
  );
  const rates = await readRates(reader, wanted, now);
  const { priceAdjustment, fee } = integration;
  const shortTolerance = ownTolerance(integration, shortPercent);
  return currencies.flatMap((currency, index) => {
    const rate = rates[index];
    const usd = rates[currencies.length + index]?.rate ?? null;
    const isDirect = isDirectIn(integration.ownAddresses, { mode, currency }, now);
    const own = { decimals: terms[currency].quoteDecimals, usd, isDirect, at: now };
    return rate
      ? quoteOf(price, currency, rate, { priceAdjustment, fee, feePayer, shortTolerance, ...own })
      : [];
  });
}
