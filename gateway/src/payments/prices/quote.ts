import type { FeePayer, FeeTerms } from '../../identity/integration.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { rateScale, rateUnits } from '../../money/rates.ts';
import type { QuotedRate } from '../../rates/read-rates.ts';
import { feeOf } from '../payment/amount.ts';
import type { Charge } from '../payment/payment.ts';
import type { Price } from '../payment/price.ts';

/** What of a currency pays a price, as its customer was shown it. `rate` is at `rateScale`, and `at` when it was quoted. */
export type Quote = Charge & { rate: bigint; at: Date; sources: QuotedRate['sources'] };

export type QuoteTerms = {
  /** Basis points that are added to the price first; a discount where they are less than nothing. */
  priceAdjustment: number;
  fee: FeeTerms;
  feePayer: FeePayer;
  /** The decimals of a quote in this currency. */
  decimals: number;
};

/** The quote of a price in a currency at a rate; the amount is rounded up, so that people can type it (contract.md#prices). */
export function quoteOf(
  price: Price,
  currency: Currency,
  { rate: text, sources }: Pick<QuotedRate, 'rate' | 'sources'>,
  { at, ...terms }: QuoteTerms & { at: Date },
): Quote {
  const scale = currencyScale[currency];
  const decimals = Math.min(terms.decimals, scale);
  const rate = rateUnits(text) ?? 0n;
  if (rate <= 0n) throw new Error(`${text} is no rate`);
  const adjusted = price.amount * BigInt(10_000 + terms.priceAdjustment);
  const worth = adjusted * 10n ** BigInt(rateScale + decimals);
  const one = 10_000n * 10n ** BigInt(minorDigits(price.currency)) * rate;
  const amount = ((worth + one - 1n) / one) * 10n ** BigInt(scale - decimals);
  const fee = feeOf(terms.fee, amount, scale);
  const amountDue = terms.feePayer === 'customer' ? amount + fee : amount;
  return { currency, amount, fee, amountDue, rate, at, sources };
}

/** What of an asset a part of a price is worth at the rate of a quote, in units at `scale`, rounded down (contract.md#prices). */
export function unitsOfPrice(part: Price, rate: bigint, scale: number): bigint {
  return (
    (part.amount * 10n ** BigInt(rateScale + scale)) / (rate * 10n ** BigInt(minorDigits(part.currency)))
  );
}
