import { type Static, Type } from 'typebox';
import { Decimal, orNull, Time } from '../kit/http/answers.ts';
import { currencies } from '../money/assets.ts';
import { verdicts } from './overview.ts';
import { noRates } from './rule.ts';

const text = Type.String();

export const TypedRate = Type.Object({
  rate: Decimal,
  typed_at: Time,
  ends_at: Time,
  holds: Type.Boolean(),
});
export type TypedRate = Static<typeof TypedRate>;

/** What a source said of a pair; a cross names what its sources said of other pairs. */
const SourceAnswer = Type.Object({
  name: text,
  rate: orNull(Decimal),
  at: orNull(Time),
  verdict: Type.Enum(verdicts),
  fault: orNull(text),
});
export type SourceAnswer = Static<typeof SourceAnswer>;

export const RatePair = Type.Object({
  currency: Type.Enum(currencies),
  price_currency: text,
  rate: orNull(Decimal),
  at: orNull(Time),
  /** Why there is none. */
  why: orNull(Type.Enum(noRates)),
  spread_percent: orNull(Decimal),
  /** A stable coin that is more than 2 % away from 1 USD. */
  is_away: Type.Boolean(),
  sources: Type.Array(SourceAnswer),
  typed: orNull(TypedRate),
});
export type RatePair = Static<typeof RatePair>;

/** `minimums`: the USD rates for the minimums of live payments without a price. */
export const Rates = Type.Object({
  kind: Type.Enum(['table', 'demo', 'sources']),
  minimums: Type.Array(Type.Object({ currency: Type.Enum(currencies), usd: orNull(Decimal) })),
  pairs: Type.Array(RatePair),
  sources: Type.Array(
    Type.Object({ name: text, quotes_coins: Type.Boolean(), fault: orNull(text), asked_at: orNull(Time) }),
  ),
  price_currencies: Type.Array(text),
});
export type Rates = Static<typeof Rates>;
