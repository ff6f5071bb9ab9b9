import { Type } from 'typebox';
import type { Refusal } from '../kit/errors.ts';
import { refuse } from '../kit/errors.ts';
import { Decimal, named, Time } from '../kit/http/answers.ts';
import { type FieldParser, fieldReader, invalid, queryReader } from '../kit/http/fields.ts';
import { type Currency, currencies, isCurrency } from '../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../money/money.ts';
import { isPriceCurrency, type PriceCurrency } from '../money/price-currencies.ts';
import { rateScale } from '../money/rates.ts';
import { rateErrors } from './errors.ts';

const priceCurrency = Type.String({ description: 'An ISO 4217 code, such as `EUR`.' });

/** One entry of the calls about rates. */
export const RateView = Type.Object(
  {
    currency: Type.Enum(currencies),
    price_currency: priceCurrency,
    rate: Type.String({ description: 'Units of the price currency for one unit of the currency.' }),
    at: Time,
    sources: Type.Array(Type.Object({ name: Type.String(), rate: Decimal, at: Time })),
  },
  named('Rate', 'The rate of a currency in a price currency, with the sources that it follows from.'),
);
export const RateList = Type.Object({ items: Type.Array(RateView) });

const parsePriceCurrency: FieldParser<PriceCurrency | Refusal> = (value) =>
  isPriceCurrency(value) ? value : refuse(rateErrors.price_currency_unsupported);

/** Also keeps what a rate is worth countable: a double in an answer holds fifteen digits. */
const mostUnits = 10n ** BigInt(rateScale + 12);

/** A positive decimal, as a text or a JSON number, in units of a rate; null: it is none. */
export function typedUnits(value: unknown): bigint | null {
  const text = typeof value === 'number' ? String(value) : value;
  const units = typeof text === 'string' && text.length <= 40 ? unitsOfDecimal(text, rateScale) : null;
  return units !== null && units > 0n && units <= mostUnits ? units : null;
}

const parseRate: FieldParser<string | null | Refusal> = (value, given) => {
  if (value === undefined) return given.rate === null ? null : invalid('rate', 'is required');
  const units = typedUnits(value);
  return units === null
    ? invalid('rate', `must be a positive decimal with at most ${rateScale} decimals, or null`)
    : decimalOf(units, rateScale);
};

const parseCurrency: FieldParser<Currency | Refusal> = (value) =>
  isCurrency(value) ? value : invalid('currency', `must be one of ${currencies.join(', ')}`);

export const RatesQuery = Type.Object({ price_currency: priceCurrency });
export const readRatesQuery = queryReader(RatesQuery, {}, { price_currency: parsePriceCurrency });

export const TestRateBody = Type.Object(
  {
    currency: Type.Enum(currencies),
    price_currency: priceCurrency,
    rate: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: 'A positive decimal with at most 12 decimals; null: the built-in rate again.',
    }),
  },
  named('TestRateInput', 'A rate for the payments of test mode.'),
);
export const readTestRate = fieldReader(
  TestRateBody,
  {},
  { currency: parseCurrency, price_currency: parsePriceCurrency, rate: parseRate },
);
