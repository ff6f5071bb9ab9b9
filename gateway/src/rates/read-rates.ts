import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import { plainArray } from '../kit/db/sql-arrays.ts';
import type { Currency } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { type PriceCurrency, usDollar } from '../money/price-currencies.ts';
import { unitsOfRate } from '../money/rate-units.ts';
import { rateScale } from '../money/rates.ts';
import { bookOf, factsOf, type RateBook } from './rate-book.ts';
import { type Found, rateBy } from './rule.ts';
import { readLiveRatesSql, readTestRatesSql } from './sql.ts';
import { testRate } from './test-rates.ts';

/**
 * Units of the price currency for one unit of the currency, as a decimal with at most 12 decimals, half up, and in units at
 * `rateScale`; and what it follows from.
 */
export type QuotedRate = { rate: string; units: bigint; at: Date; sources: RateSources };

/**
 * What each source said, as it is stored and shown: `rate` is a decimal, `at` an ISO 8601 time. A source of a cross is named
 * with the pair of which it spoke, such as `ecb USD/EUR`.
 */
export type RateSources = { name: string; rate: string; at: string }[];

export type RateWanted = {
  integrationId: IntegrationId;
  mode: Mode;
  currency: Currency;
  priceCurrency: PriceCurrency;
};

/** The source of rates in test mode. */
const testSource = 'test';

/**
 * The rates that hold now, in the order of `wanted`; null: there is none. One statement for each mode, however many are
 * wanted, so that all that are read together quote alike (contract.md#prices).
 */
export async function readRates(
  reader: Reader,
  wanted: readonly RateWanted[],
  now: Date,
): Promise<(QuotedRate | null)[]> {
  const own = await readTestRates(reader, ofMode(wanted, 'test'));
  const book = await readLiveBook(reader, ofMode(wanted, 'live'));
  const known = new Map<string, QuotedRate | null>();
  return wanted.map((each) => {
    const key = each.mode === 'test' ? ownPair(each) : `live ${each.currency}/${each.priceCurrency}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const rate =
      each.mode === 'test'
        ? testQuote(own.get(key) ?? testRate(each.currency, each.priceCurrency), now)
        : quoteOf(rateBy(factsOf(book, each.currency, each.priceCurrency), now).found, each);
    known.set(key, rate);
    return rate;
  });
}

const ofMode = (wanted: readonly RateWanted[], mode: Mode) => wanted.filter((each) => each.mode === mode);

const ownPair = ({ integrationId, currency, priceCurrency }: Omit<RateWanted, 'mode'>): string =>
  `${integrationId} ${currency}/${priceCurrency}`;

type TestRow = {
  integrationId: IntegrationId;
  currency: Currency;
  priceCurrency: PriceCurrency;
  rate: string;
};

/** What integrations have set for these pairs in test mode, in units of a rate. */
async function readTestRates(reader: Reader, wanted: readonly RateWanted[]): Promise<Map<string, bigint>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await reader.query<TestRow>({
    name: 'read-test-rates',
    text: readTestRatesSql,
    values: [
      distinct(wanted.map(({ integrationId }) => integrationId)),
      distinct(wanted.map(({ currency }) => currency)),
      distinct(wanted.map(({ priceCurrency }) => priceCurrency)),
    ],
  });
  return new Map(rows.map((row) => [ownPair(row), unitsOfRate(row.rate) ?? 0n]));
}

const distinct = (values: readonly string[]): string => plainArray([...new Set(values)]);

function testQuote(units: bigint, now: Date): QuotedRate {
  const rate = decimalOf(units, rateScale);
  return { rate, units, at: now, sources: [{ name: testSource, rate, at: now.toISOString() }] };
}

type LiveRow = {
  /** `[currency, price currency, source, rate, at]` */
  said: [string, string, string, string, number][] | null;
  /** `[currency, price currency, rate, from, until]` */
  typed: [string, string, string, number, number][] | null;
  coin_sources: number;
};

/** What sources and operators have said of these pairs in live mode, as facts of the rule. */
async function readLiveBook(reader: Reader, wanted: readonly RateWanted[]): Promise<RateBook> {
  if (wanted.length === 0) return bookOf([], [], 0);
  const pairs = wanted.flatMap(pairsOf);
  const { rows } = await reader.query<LiveRow>({
    name: 'read-live-rates',
    text: readLiveRatesSql,
    values: [
      plainArray(pairs.map(([currency]) => currency)),
      plainArray(pairs.map(([, priceCurrency]) => priceCurrency)),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('The rates were not read');
  return bookOf(
    (row.said ?? []).map(([currency, priceCurrency, source, rate, at]) => ({
      ...{ currency, priceCurrency, source, rate },
      at: new Date(at),
    })),
    (row.typed ?? []).map(([currency, priceCurrency, rate, at, endsAt]) => ({
      ...{ currency, priceCurrency, rate },
      at: new Date(at),
      endsAt: new Date(endsAt),
    })),
    row.coin_sources,
  );
}

type Pair = { currency: Currency; priceCurrency: PriceCurrency };

/** The pairs from which a rate may follow. */
function pairsOf({ currency, priceCurrency }: Pair): [string, string][] {
  if (priceCurrency === usDollar) return [[currency, usDollar]];
  return [
    [currency, priceCurrency],
    [currency, usDollar],
    [usDollar, priceCurrency],
  ];
}

export function quoteOf(found: Found | null, { currency, priceCurrency }: Pair): QuotedRate | null {
  if (!found) return null;
  const legs = { direct: '', coin: ` ${currency}/USD`, fiat: ` USD/${priceCurrency}` };
  return {
    rate: decimalOf(found.units, rateScale),
    units: found.units,
    at: found.at,
    sources: found.sources.map(({ source, units, at, leg }) => ({
      name: `${source}${legs[leg]}`,
      rate: decimalOf(units, rateScale),
      at: at.toISOString(),
    })),
  };
}
