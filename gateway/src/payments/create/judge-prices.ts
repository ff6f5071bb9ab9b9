import type { FeePayer, Integration, Mode } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { type Currency, currencies } from '../../money/assets.ts';
import { type PriceCurrency, usDollar } from '../../money/price-currencies.ts';
import type { Rates } from '../../money/rates.ts';
import { type QuotedRate, readRates } from '../../rates/read-rates.ts';
import { belowMinimum, meetsMinimum } from '../payment/amount.ts';
import { builtinTerms, type TermsOf } from '../payment/currency-terms.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Price } from '../payment/price.ts';
import { noRate } from '../prices/no-rate.ts';
import { type Quote, quotedAmount, quotedRateUnits, quoteOf } from '../prices/quote.ts';

/** What a payment asks that has a price; its customer chooses where it has no currency, among `choices` where they are named. */
export type AsksPrice = { price: Price; currency: Currency | null; choices: readonly Currency[] | null };

/** A price that is to be quoted, and for whom. */
export type Priced = AsksPrice & { integration: Integration; mode: Mode; feePayer: FeePayer };

/** How a price may be paid: by the quote of its currency, or in what the customer will choose. */
export type Payable = { quote: Quote; choices: null } | { quote: null; choices: Currency[] };

export type PriceDeps = {
  /** Which currencies are offered, and their minimums; the built-in terms when absent. */
  termsOf?: TermsOf;
  rates: Rates;
  /** The currencies of the installation's networks; all when absent or empty. */
  offered?: readonly Currency[];
};

/** Refuses currencies that are not offered: `currency_unsupported`, or `field_invalid` of the list. */
export function assertOffered(
  { termsOf = builtinTerms }: Pick<PriceDeps, 'termsOf'>,
  { currency, choices }: AsksPrice,
): void {
  if (currency !== null && !termsOf(currency).offered) throw refuse(paymentErrors.currency_unsupported);
  const missing = choices?.find((each) => !termsOf(each).offered);
  if (missing !== undefined) throw invalid('currencies', `${missing} is not supported`);
}

/**
 * Judges prices by the rates of this moment, which are read with one statement. Returns for each how it may be paid, or its
 * refusal: `no_rate`, `no_rates`, `amount_below_minimum` (contract.md#prices).
 */
export async function judgePrices(
  reader: Reader,
  deps: PriceDeps,
  prices: readonly Priced[],
  now: Date,
): Promise<(Payable | Refusal)[]> {
  // Most prices that come together are of few merchants, and in few currencies.
  const groups = new Map(prices.map((priced) => [groupOf(priced), priced]));
  const pairs = [...groups].flatMap(([group, priced]) =>
    candidatesOf(deps, priced).flatMap((currency) =>
      [priced.price.currency, usDollar].map((priceCurrency) => ({
        name: `${group} ${currency} ${priceCurrency}`,
        wanted: { integrationId: priced.integration.id, mode: priced.mode, currency, priceCurrency },
      })),
    ),
  );
  const found = await readRates(
    reader,
    pairs.map(({ wanted }) => wanted),
    now,
  );
  const rates = new Map(pairs.map(({ name }, index) => [name, found[index] ?? null]));
  return prices.map((priced) => {
    const group = groupOf(priced);
    const rateOf = (currency: Currency, priceCurrency: PriceCurrency) =>
      rates.get(`${group} ${currency} ${priceCurrency}`) ?? null;
    const rated = candidatesOf(deps, priced).flatMap((currency) => {
      const rate = rateOf(currency, priced.price.currency);
      return rate ? judge(deps, priced, { currency, rate, usd: rateOf(currency, usDollar) }) : [];
    });
    return payableOf(deps, priced, rated, now);
  });
}

/** Prices of one group follow from the same rates. */
const groupOf = ({ integration, mode, price, currency, choices }: Priced): string =>
  `${integration.id} ${mode} ${price.currency} ${currency ?? choices}`;

/** What a price may be paid in. Where nobody said, what is offered, USDC first. */
function candidatesOf(deps: PriceDeps, { currency, choices, mode }: Priced): readonly Currency[] {
  if (currency !== null) return [currency];
  if (choices !== null) return choices;
  const { termsOf = builtinTerms, offered = [] } = deps;
  const isTaken = (each: Currency) => mode === 'test' || offered.length === 0 || offered.includes(each);
  const all = currencies.filter((each) => termsOf(each).offered && isTaken(each));
  return [...all.filter((each) => each === 'USDC'), ...all.filter((each) => each !== 'USDC')];
}

/** A currency with its rate, and whether the price meets its minimum. */
type Judged = { currency: Currency; rate: QuotedRate; usd: string | null; isEnough: boolean };

function judge(
  { termsOf = builtinTerms, rates }: PriceDeps,
  { price, integration: { priceAdjustment } }: Priced,
  { currency, rate, usd }: { currency: Currency; rate: QuotedRate; usd: QuotedRate | null },
): Judged {
  const { quoteDecimals: decimals, minimumCents } = termsOf(currency);
  const amount = quotedAmount(price, currency, quotedRateUnits(rate.rate), { priceAdjustment, decimals });
  const worth = usd?.rate ?? rates(currency);
  // Without a rate in USD, now or ever, a minimum says nothing.
  const isEnough = worth === null || meetsMinimum(amount, currency, worth, minimumCents);
  return { currency, rate, usd: worth, isEnough };
}

function payableOf(
  { termsOf = builtinTerms }: PriceDeps,
  { price, currency, integration, feePayer }: Priced,
  rated: readonly Judged[],
  at: Date,
): Payable | Refusal {
  if (rated.length === 0) return noRate(price.currency, currency);
  const enough = rated.filter(({ isEnough }) => isEnough);
  const [first] = enough;
  if (first && currency !== null) {
    const { priceAdjustment, fee, shortTolerance } = integration;
    const own = { decimals: termsOf(currency).quoteDecimals, usd: first.usd, at };
    const terms = { priceAdjustment, fee, feePayer, shortTolerance, ...own };
    return { quote: quoteOf(price, currency, first.rate, terms), choices: null };
  }
  if (first) return { quote: null, choices: enough.map((each) => each.currency) };
  const [lowest] = currencies
    .filter((each) => rated.some((other) => other.currency === each))
    .sort((one, other) => termsOf(one).minimumCents - termsOf(other).minimumCents);
  if (!lowest) throw new Error('A currency with a rate is a currency');
  return belowMinimum(termsOf(lowest).minimumCents, lowest);
}
