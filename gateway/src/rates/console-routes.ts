import { Type } from 'typebox';
import type { Console } from '../identity/console/console.ts';
import type { Clock } from '../kit/clock.ts';
import { afterCommit, type Database } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import { kitErrors, refuse } from '../kit/errors.ts';
import { orNull } from '../kit/http/answers.ts';
import { fieldReader, invalid } from '../kit/http/fields.ts';
import { currencies, isCurrency } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { isPriceCurrency, priceCurrencies } from '../money/price-currencies.ts';
import { type Rates as RatesOf, rateScale } from '../money/rates.ts';
import type { RatesConfig } from './config.ts';
import { Rates, TypedRate } from './console-answers.ts';
import { ratesTopic } from './known-rates.ts';
import { type PairState, pairStates } from './overview.ts';
import { readRateBook } from './rate-book.ts';
import { typedUnits } from './schema.ts';
import { mostDays, typeRate } from './typed-rate.ts';

export type RateConsoleDeps = {
  db: Database;
  hints: Hints;
  config: RatesConfig;
  minimums: RatesOf;
  now: Clock;
};

const TypedBody = Type.Object({
  rate: Type.String(),
  days: Type.Integer({ minimum: 1, maximum: mostDays }),
});
const readTyped = fieldReader(TypedBody, {
  rate: (value) =>
    typedUnits(value) === null
      ? invalid('rate', `must be a positive decimal with at most ${rateScale} decimals`)
      : null,
});

/** For operators: each pair with its sources, and rates that they type. */
export function rateConsoleRoutes(dashboard: Console, deps: RateConsoleDeps): void {
  const { db, hints, config, minimums, now } = deps;
  dashboard.get('operator', '/rates', { answer: Rates }, async () => {
    const book = await readRateBook(db);
    return {
      message: 'Rates',
      data: {
        kind: config.kind,
        minimums: currencies.map((currency) => ({ currency, usd: minimums(currency) })),
        pairs: pairStates(book, now()).map(pairView),
        sources: book.sources.map(({ name, quotesCoins, fault, askedAt }) => ({
          ...{ name, quotes_coins: quotesCoins, fault },
          asked_at: askedAt?.toISOString() ?? null,
        })),
        price_currencies: [...priceCurrencies],
      },
    };
  });

  dashboard.propose(
    'PUT',
    '/rates/:currency/:price_currency',
    {
      kind: 'rate',
      title: 'Type a rate',
      concerns: 'every business',
      answer: orNull(TypedRate),
      // Sources decide again, which needs nobody else.
      isAtOnce: ({ body }) => isTakenBack(body),
    },
    async (tx, { params, body }) => {
      const { currency, price_currency: priceCurrency } = params;
      if (!isCurrency(currency) || !isPriceCurrency(priceCurrency)) throw refuse(kitErrors.not_found);
      const typed = isTakenBack(body) ? null : readTyped(body);
      const rate = typed && decimalOf(typedUnits(typed.rate) ?? 0n, rateScale);
      const given = typed && rate !== null ? { rate, days: typed.days } : null;
      const { after, change } = await typeRate(tx, { currency, priceCurrency }, given, now());
      afterCommit(tx, () => hints.send(ratesTopic));
      return {
        message: after ? 'Rate typed' : 'Typed rate taken back',
        data: after && typedView({ ...after, holds: true }),
        change,
      };
    },
  );
}

/** A body whose rate is null. */
function isTakenBack(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'rate' in body && body.rate === null;
}

function typedView({ rate, at, endsAt, holds }: NonNullable<PairState['typed']>) {
  return { rate, typed_at: at.toISOString(), ends_at: endsAt.toISOString(), holds };
}

function pairView({ priceCurrency, at, spread, isAway, sources, typed, ...pair }: PairState) {
  return {
    ...pair,
    price_currency: priceCurrency,
    at: at?.toISOString() ?? null,
    spread_percent: spread,
    is_away: isAway,
    sources: sources.map((source) => ({ ...source, at: source.at?.toISOString() ?? null })),
    typed: typed && typedView(typed),
  };
}
