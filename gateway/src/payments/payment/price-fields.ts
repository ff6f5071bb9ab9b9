import { Type } from 'typebox';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import { type FieldJudge, type FieldParser, invalid } from '../../kit/http/fields.ts';
import { unitsOfAmount } from '../../ledger/amount.ts';
import { type Currency, currencies, isCurrency } from '../../money/assets.ts';
import { decimalOf, numberOf } from '../../money/money.ts';
import { isPriceCurrency, minorDigits } from '../../money/price-currencies.ts';
import { paymentErrors } from './errors.ts';
import type { Price } from './price.ts';

// The fields of a price, which create and payment links take in place of an amount (contract.md#prices).

export const PriceInput = Type.Object(
  {
    amount: Type.Union([Type.Number(), Type.String()], {
      description: "A number or a decimal string, with at most the currency's minor digits.",
    }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'An ISO 4217 code, such as EUR.' }),
  },
  named(
    'Price',
    "What is asked in the merchant's own money, in place of `amount`: it is paid in coins, at a rate that is fixed when they are chosen.",
  ),
);

export const ChoicesInput = Type.Array(Type.Enum(currencies), {
  minItems: 1,
  uniqueItems: true,
  description:
    'What the customer may pay a `price` in. By default all that is offered and whose minimum the price meets.',
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Whether the input asks a price. */
export const isPriced = ({ price }: Readonly<Record<string, unknown>>): boolean => isGiven(price);

/** Refuses an amount beside a price. */
export function amountBesidePrice(amount: unknown): Refusal | undefined {
  return amount === undefined ? undefined : invalid('amount', 'leave it out where price is given');
}

/** Required, except beside a price. */
export const currencyJudge: FieldJudge = (value, input) => {
  if (value === undefined) return isPriced(input) ? null : refuse(paymentErrors.currency_required);
  return isCurrency(value) ? null : refuse(paymentErrors.currency_unsupported);
};

/** A price, and its amount as the number that the answer repeats. */
export type SentPrice = { price: Price; sent: number };

export const parsePrice: FieldParser<SentPrice | undefined> = (value) => {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('price', 'must be an object with amount and currency');
  }
  const { amount: written, currency } = value as Record<string, unknown>;
  const known = isPriceCurrency(currency) ? currency : undefined;
  const digits = known ? minorDigits(known) : mostDigits;
  const units = unitsOfAmount(written, digits);
  if (units === 'not_positive') return refuse(paymentErrors.price_not_positive);
  if (!known) return refuse(paymentErrors.price_unsupported);
  if (units === 'too_many_decimals') return refuse(paymentErrors.price_decimals, { currency: known });
  if (units === 'too_large') return tooManyDigits();
  const text = decimalOf(units, digits);
  if (text.replace('.', '').length > mostDigits) return tooManyDigits();
  return { price: { amount: units, currency: known }, sent: numberOf(units, digits) };
};

/** A double holds so many exactly. */
const mostDigits = 15;
const tooManyDigits = () => invalid('price.amount', `must have at most ${mostDigits} significant digits`);

export const parseChoices: FieldParser<Currency[] | undefined> = (value, input) => {
  // Without a price it is a field that nobody knows.
  if (value === undefined || !isPriced(input)) return undefined;
  if (isGiven(input.currency)) return invalid('currencies', 'leave it out where currency is given');
  if (!Array.isArray(value) || value.length === 0 || !value.every(isCurrency)) {
    return invalid('currencies', `must be a list of some of ${currencies.join(', ')}`);
  }
  return new Set(value).size === value.length ? value : invalid('currencies', 'must name each only once');
};
