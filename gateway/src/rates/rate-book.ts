import type { Reader } from '../kit/db/db.ts';
import type { Currency } from '../money/assets.ts';
import { type PriceCurrency, usDollar } from '../money/price-currencies.ts';
import { unitsOfRate } from '../money/rate-units.ts';
import type { PairFacts, RateFacts, Said } from './rule.ts';

/** What the database says of some pairs, from which their rates follow. */
export type RateBook = { facts: ReadonlyMap<string, PairFacts>; coinSources: number };

type SaidRow = { currency: string; priceCurrency: string; source: string; rate: string; at: Date };
type TypedRow = { currency: string; priceCurrency: string; rate: string; at: Date; endsAt: Date };

const none: PairFacts = { said: [], typed: null };
const keyOf = (currency: string, priceCurrency: string): string => `${currency}/${priceCurrency}`;

export function bookOf(said: readonly SaidRow[], typed: readonly TypedRow[], coinSources: number): RateBook {
  const facts = new Map<string, { said: Said[]; typed: PairFacts['typed'] }>();
  const of = ({ currency, priceCurrency }: { currency: string; priceCurrency: string }) => {
    const key = keyOf(currency, priceCurrency);
    const found = facts.get(key) ?? { said: [], typed: null };
    facts.set(key, found);
    return found;
  };
  for (const each of said) {
    of(each).said.push({ source: each.source, units: unitsOfRate(each.rate) ?? 0n, at: each.at });
  }
  for (const each of typed) {
    of(each).typed = { units: unitsOfRate(each.rate) ?? 0n, at: each.at, endsAt: each.endsAt };
  }
  return { facts, coinSources };
}

/** What the rate of a coin in a price currency follows from. */
export function factsOf(
  { facts, coinSources }: RateBook,
  currency: Currency,
  priceCurrency: PriceCurrency,
): RateFacts {
  const of = (from: string, to: string): PairFacts => facts.get(keyOf(from, to)) ?? none;
  const direct = of(currency, priceCurrency);
  if (priceCurrency === usDollar) return { direct, throughUsd: null, coinSources };
  const throughUsd = { coin: of(currency, usDollar), fiat: of(usDollar, priceCurrency) };
  return { direct, throughUsd, coinSources };
}

export type SourceState = { name: string; quotesCoins: boolean; askedAt: Date | null; fault: string | null };

/** `rate` and `at` are null where it never gave one; `fault`: what is wrong with what it said last. */
export type AnswerState = {
  currency: string;
  priceCurrency: string;
  source: string;
  rate: string | null;
  at: Date | null;
  fault: string | null;
};

/** All that the database has of live rates, for the people and programs that watch them. */
export type WholeBook = RateBook & {
  /** In the order of the configuration. */
  sources: SourceState[];
  answers: AnswerState[];
  typed: TypedRow[];
};

/** Reads everything: some hundred rows. Payments read what they need by `readRates`. */
export async function readRateBook(reader: Reader): Promise<WholeBook> {
  const { rows: sources } = await reader.query<SourceState>(
    'SELECT name, quotes_coins AS "quotesCoins", asked_at AS "askedAt", fault FROM rate_sources ORDER BY place',
  );
  const { rows: answers } = await reader.query<AnswerState>(
    `SELECT currency, price_currency AS "priceCurrency", source, rate, at, fault FROM rate_answers
     ORDER BY currency, price_currency, source`,
  );
  const { rows: typed } = await reader.query<TypedRow>(
    `SELECT currency, price_currency AS "priceCurrency", rate, typed_at AS at, ends_at AS "endsAt" FROM typed_rates
     ORDER BY currency, price_currency`,
  );
  const said = answers.flatMap(({ rate, at, ...pair }) =>
    rate === null || at === null ? [] : [{ ...pair, rate, at }],
  );
  const coinSources = sources.filter(({ quotesCoins }) => quotesCoins).length;
  return { ...bookOf(said, typed, coinSources), sources, answers, typed };
}
