import type { FeePayer, Integration, Mode } from '../../identity/integration.ts';
import { isDirectIn } from '../../identity/own-addresses.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { type Currency, currencies } from '../../money/assets.ts';
import { usDollar } from '../../money/price-currencies.ts';
import type { Rates } from '../../money/rates.ts';
import { type QuotedRate, readRates } from '../../rates/read-rates.ts';
import { belowMinimum, leastAmount } from '../payment/amount.ts';
import { builtinTerms, type TermsOf } from '../payment/currency-terms.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Price } from '../payment/price.ts';
import { noRate } from '../prices/no-rate.ts';
import { type Quote, quotedAmount, quoteOf } from '../prices/quote.ts';

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
  /** Whether live payments settle to their merchants' own addresses alone (contract.md#direct). */
  isDirectRequired?: boolean;
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
 * Refuses a live payment that could be paid nowhere, since an own address is required and none of its assets has one:
 * `own_address_missing` (contract.md#direct). `assetCodes`: those to which an invoice is limited.
 */
export function assertOwnAddress(
  { isDirectRequired }: Pick<PriceDeps, 'isDirectRequired'>,
  { integration, mode }: Pick<Priced, 'integration' | 'mode'>,
  asks: Pick<AsksPrice, 'currency'> &
    Partial<Pick<AsksPrice, 'choices'>> & { assetCodes?: readonly string[] | null },
  now: Date,
): void {
  if (mode === 'test' || !isDirectRequired) return;
  const wanted = asks.currency === null ? (asks.choices ?? currencies) : [asks.currency];
  const among = asks.assetCodes ?? undefined;
  if (wanted.some((currency) => isDirectIn(integration.ownAddresses, { mode, currency, among }, now))) return;
  const named = asks.currency ?? asks.choices?.join(', ') ?? 'any asset';
  throw refuse(paymentErrors.own_address_missing, { currency: named });
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
  const candidates = [...groups].flatMap(([group, priced]) =>
    candidatesOf(deps, priced, now).map((currency) => ({ group, priced, currency })),
  );
  const found = await readRates(
    reader,
    candidates.flatMap(({ priced: { integration, mode, price }, currency }) =>
      [price.currency, usDollar].map((priceCurrency) => ({
        ...{ integrationId: integration.id, mode, currency, priceCurrency },
      })),
    ),
    now,
  );
  const rated = Map.groupBy(
    candidates.flatMap(({ group, currency }, index) => {
      const [rate, usd] = [found[2 * index], found[2 * index + 1]];
      return rate ? { group, ...ratedOf(deps, currency, rate, usd ?? null) } : [];
    }),
    ({ group }) => group,
  );
  return prices.map((priced) => payableOf(priced, rated.get(groupOf(priced)) ?? [], now));
}

/** Prices of one group follow from the same rates. */
const groupOf = ({ integration, mode, price, currency, choices }: Priced): string =>
  `${integration.id} ${mode} ${price.currency} ${currency ?? choices}`;

/** What a price may be paid in. Where nobody said, what is offered, USDC first. */
function candidatesOf(deps: PriceDeps, priced: Priced, now: Date): readonly Currency[] {
  const { currency, choices, mode, integration } = priced;
  if (currency !== null) return [currency];
  const { termsOf = builtinTerms, offered = [], isDirectRequired } = deps;
  const settles = (each: Currency) =>
    mode === 'test' ||
    !isDirectRequired ||
    isDirectIn(integration.ownAddresses, { mode, currency: each }, now);
  if (choices !== null) return choices.filter(settles);
  const isTaken = (each: Currency) => mode === 'test' || offered.length === 0 || offered.includes(each);
  const all = currencies.filter((each) => termsOf(each).offered && isTaken(each) && settles(each));
  return [...all.filter((each) => each === 'USDC'), ...all.filter((each) => each !== 'USDC')];
}

/** A currency that has a rate, with all that is the same for every price of a group. */
type Rated = {
  currency: Currency;
  rate: QuotedRate;
  /** US dollars for one; null: not known. */
  usd: string | null;
  minimumCents: number;
  /** The units that are worth the minimum; without a rate in USD, now or ever, a minimum says nothing. */
  least: bigint;
  decimals: number;
};

function ratedOf(
  { termsOf = builtinTerms, rates }: PriceDeps,
  currency: Currency,
  rate: QuotedRate,
  usdNow: QuotedRate | null,
): Rated {
  const { quoteDecimals: decimals, minimumCents } = termsOf(currency);
  const usd = usdNow?.rate ?? rates(currency);
  const least = usd === null ? 0n : leastAmount(currency, usd, minimumCents);
  return { currency, rate, usd, minimumCents, least, decimals };
}

function payableOf(
  { price, currency, integration, mode, feePayer }: Priced,
  rated: readonly Rated[],
  at: Date,
): Payable | Refusal {
  const [first] = rated;
  if (!first) return noRate(price.currency, currency);
  const { priceAdjustment, fee, shortTolerance } = integration;
  if (currency !== null) {
    const { rate, usd, decimals, least, minimumCents } = first;
    const isDirect = isDirectIn(integration.ownAddresses, { mode, currency }, at);
    const terms = { priceAdjustment, fee, feePayer, isDirect, shortTolerance, usd, decimals, at };
    const quote = quoteOf(price, currency, rate, terms);
    return quote.amount >= least ? { quote, choices: null } : belowMinimum(minimumCents, currency);
  }
  const enough = rated.filter(
    ({ currency: each, rate, decimals, least }) =>
      quotedAmount(price, each, rate.units, { priceAdjustment, decimals }) >= least,
  );
  if (enough.length > 0) return { quote: null, choices: enough.map((each) => each.currency) };
  const [lowest = first] = currencies
    .flatMap((each) => rated.filter((other) => other.currency === each))
    .sort((one, other) => one.minimumCents - other.minimumCents);
  return belowMinimum(lowest.minimumCents, lowest.currency);
}
