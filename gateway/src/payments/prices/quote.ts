import type { FeePayer, FeeTerms, ShortTolerance } from '../../identity/integration.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import { rateScale } from '../../money/rates.ts';
import type { QuotedRate } from '../../rates/read-rates.ts';
import { chargedOn } from '../payment/amount.ts';
import type { Charge } from '../payment/payment.ts';
import type { Price } from '../payment/price.ts';
import { toleranceOf } from '../payment/tolerance.ts';

/** What of a currency pays a price, as its customer was shown it. `rate` is at `rateScale`, and `at` when it was quoted. */
export type Quote = Charge & { tolerance: bigint; rate: bigint; at: Date; sources: QuotedRate['sources'] };

export type QuoteTerms = {
  /** Basis points that are added to the price first; a discount where they are less than nothing. */
  priceAdjustment: number;
  fee: FeeTerms;
  feePayer: FeePayer;
  /** Whether payments in this currency may settle directly (contract.md#direct). */
  isDirect?: boolean;
  shortTolerance: ShortTolerance;
  /** US dollars for one of the currency; null: not known, and nothing may be missing. */
  usd: string | null;
  /** The decimals of a quote in this currency. */
  decimals: number;
  at: Date;
};

/** The quote of a price in a currency at a rate; the amount is rounded up, so that people can type it (contract.md#prices). */
export function quoteOf(
  price: Price,
  currency: Currency,
  { units: rate, sources }: Pick<QuotedRate, 'units' | 'sources'>,
  terms: QuoteTerms,
): Quote {
  const amount = quotedAmount(price, currency, rate, terms);
  const { fee: feeTerms, feePayer, isDirect = false } = terms;
  const charged = chargedOn(amount, { terms: feeTerms, feePayer, isDirect }, currencyScale[currency]);
  const { fee, due: amountDue } = charged;
  const tolerance = toleranceOf(terms.shortTolerance, { due: amountDue, currency }, terms.usd);
  return { currency, amount, fee, amountDue, tolerance, rate, at: terms.at, sources };
}

/** The amount alone, at a rate in units at `rateScale`. */
export function quotedAmount(
  price: Price,
  currency: Currency,
  rate: bigint,
  terms: Pick<QuoteTerms, 'priceAdjustment' | 'decimals'>,
): bigint {
  if (rate <= 0n) throw new Error(`${rate} is no rate`);
  const scale = currencyScale[currency];
  const decimals = Math.min(terms.decimals, scale);
  const worth = price.amount * BigInt(10_000 + terms.priceAdjustment) * ten(rateScale + decimals);
  const one = 10_000n * ten(minorDigits(price.currency)) * rate;
  return ((worth + one - 1n) / one) * ten(scale - decimals);
}

const powers = Array.from({ length: 2 * rateScale + 1 }, (_, power) => 10n ** BigInt(power));
/** Ten to the power of a small number. Looked up: it is asked for several times for each payment. */
const ten = (power: number): bigint => powers[power] ?? 10n ** BigInt(power);

/** What of an asset a part of a price is worth at the rate of a quote, in units at `scale`, rounded down (contract.md#prices). */
export function unitsOfPrice(part: Price, rate: bigint, scale: number): bigint {
  return (
    (part.amount * 10n ** BigInt(rateScale + scale)) / (rate * 10n ** BigInt(minorDigits(part.currency)))
  );
}
