import type { IntegrationId, Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import { plainArray } from '../kit/db/sql-arrays.ts';
import type { Currency } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { type PriceCurrency, usDollar } from '../money/price-currencies.ts';
import { rateScale } from '../money/rates.ts';
import { bookOf, factsOf, type RateBook } from './rate-book.ts';
import { type Found, rateBy } from './rule.ts';
import { readRatesSql } from './sql.ts';
import { testRate } from './test-rates.ts';

/**
 * Units of the price currency for one unit of the currency, as a decimal with at most 12 decimals, half up, and what it
 * follows from. A source of a cross is named with the pair of which it spoke, such as `ecb USD/EUR`.
 */
export type QuotedRate = { rate: string; at: Date; sources: { name: string; rate: string; at: Date }[] };

export type RateWanted = {
  integrationId: IntegrationId;
  mode: Mode;
  currency: Currency;
  priceCurrency: PriceCurrency;
};

/** The source of rates in test mode. */
const testSource = 'test';

type Row = {
  /** `[integration, currency, price currency, rate]` */
  test: [string, string, string, string][] | null;
  /** `[currency, price currency, source, rate, at]` */
  said: [string, string, string, string, number][] | null;
  /** `[currency, price currency, rate, from, until]` */
  typed: [string, string, string, number, number][] | null;
  coin_sources: number;
};

/**
 * The rates that hold now, in the order of `wanted`; null: there is none. One statement, however many are wanted, so that
 * all that are read together quote alike (contract.md#prices).
 */
export async function readRates(
  reader: Reader,
  wanted: readonly RateWanted[],
  now: Date,
): Promise<(QuotedRate | null)[]> {
  if (wanted.length === 0) return [];
  const test = wanted.filter(({ mode }) => mode === 'test');
  const pairs = wanted.filter(({ mode }) => mode === 'live').flatMap(pairsOf);
  const { rows } = await reader.query<Row>({
    name: 'read-rates',
    text: readRatesSql,
    values: [
      plainArray(test.map(({ integrationId }) => integrationId)),
      plainArray(test.map(({ currency }) => currency)),
      plainArray(test.map(({ priceCurrency }) => priceCurrency)),
      plainArray(pairs.map(([currency]) => currency)),
      plainArray(pairs.map(([, priceCurrency]) => priceCurrency)),
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('The rates were not read');
  const known = new Map<string, QuotedRate | null>();
  const book = bookIn(row);
  const ownTest = new Map(row.test?.map(([...key]) => [key.slice(0, 3).join(), key[3]]));
  return wanted.map(({ integrationId, mode, currency, priceCurrency }) => {
    const key = [mode === 'test' ? integrationId : mode, currency, priceCurrency].join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const rate =
      mode === 'test'
        ? testQuote(ownTest.get(key), { currency, priceCurrency, now })
        : quoteOf(rateBy(factsOf(book, currency, priceCurrency), now).found, { currency, priceCurrency });
    known.set(key, rate);
    return rate;
  });
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

function testQuote(
  own: string | undefined,
  { currency, priceCurrency, now }: Pair & { now: Date },
): QuotedRate {
  const rate = own ?? decimalOf(testRate(currency, priceCurrency), rateScale);
  return { rate, at: now, sources: [{ name: testSource, rate, at: now }] };
}

/** What the statement found, as facts of the rule. */
function bookIn({ said, typed, coin_sources }: Omit<Row, 'test'>): RateBook {
  return bookOf(
    (said ?? []).map(([currency, priceCurrency, source, rate, at]) => ({
      ...{ currency, priceCurrency, source, rate },
      at: new Date(at),
    })),
    (typed ?? []).map(([currency, priceCurrency, rate, at, endsAt]) => ({
      ...{ currency, priceCurrency, rate },
      at: new Date(at),
      endsAt: new Date(endsAt),
    })),
    coin_sources,
  );
}

export function quoteOf(found: Found | null, { currency, priceCurrency }: Pair): QuotedRate | null {
  if (!found) return null;
  const legs = { direct: '', coin: ` ${currency}/USD`, fiat: ` USD/${priceCurrency}` };
  return {
    rate: decimalOf(found.units, rateScale),
    at: found.at,
    sources: found.sources.map(({ source, units, at, leg }) => ({
      name: `${source}${legs[leg]}`,
      rate: decimalOf(units, rateScale),
      at,
    })),
  };
}
