import { Type } from 'typebox';
import { Refusal } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import {
  type FieldParser,
  fieldReader,
  invalid,
  nameField,
  queryReader,
  returnAddressParser,
} from '../../kit/http/fields.ts';
import { pageFields } from '../../kit/http/page-query.ts';
import { currencies, isCurrency } from '../../money/assets.ts';
import { strictMoney } from '../../payouts/api/schema.ts';
import { parseAmount, parseWritten } from '../payment/amount.ts';
import {
  amountBesidePrice,
  ChoicesInput,
  currencyJudge,
  isPriced,
  PriceInput,
  parseChoices,
  parsePrice,
} from '../payment/price-fields.ts';
import type { LinkAsks } from './link.ts';

const Amount = (description: string) => Type.Union([Type.String(), Type.Number()], { description });
const maxUrlLength = 2048;

export const LinkBody = Type.Object(
  {
    title: Type.String({ ...nameField(120), description: 'What is paid for, as the customer reads it.' }),
    currency: Type.Optional(
      Type.Enum(currencies, {
        description:
          'PI, USDC, USDT or CSK; required without `price`. With `price`: what it is paid in; without it each customer chooses.',
      }),
    ),
    amount: Type.Optional(
      Amount(
        'What every customer pays, as a decimal string or a number. Without it the customer says how much.',
      ),
    ),
    price: Type.Optional(PriceInput),
    currencies: Type.Optional(ChoicesInput),
    min_amount: Type.Optional(Amount('The least that the customer may say. Not together with `amount`.')),
    max_amount: Type.Optional(Amount('The most that the customer may say. Not together with `amount`.')),
    one_use: Type.Optional(
      Type.Boolean({ default: false, description: 'One payment is completed by it, and no other.' }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 1000, format: 'text', description: 'More about it, for the customer.' }),
    ),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'No payment is begun from this time on.' }),
    ),
    success_url: Type.Optional(
      Type.String({
        maxLength: maxUrlLength,
        format: 'uri',
        description: 'Where the customer goes after paying.',
      }),
    ),
  },
  named('PaymentLinkInput', 'Body of `paymentLinks.create`. Without `amount` the customer says how much.'),
);

/** A text is read as the number that it writes, so that the amount can be the one of a payment (contract.md#payments). */
const unitsParser: FieldParser<bigint | undefined> = (value, { currency }) => {
  if (value === undefined) return undefined;
  const known = isCurrency(currency) ? currency : undefined;
  return typeof value === 'string' ? parseWritten(value, known) : parseAmount(value, known);
};

const amountParser: FieldParser<bigint | undefined> = (value, input) =>
  isPriced(input) ? amountBesidePrice(value) : unitsParser(value, input);

/** The parser of a limit: none beside a fixed amount, and the upper one not below the lower. */
function limitParser(name: 'min_amount' | 'max_amount'): FieldParser<bigint | undefined> {
  return (value, input) => {
    const units = unitsParser(value, input);
    if (units instanceof Refusal) return invalid(name, units.message.replace(/^amount /, ''));
    if (units === undefined) return undefined;
    if (isPriced(input)) return invalid(name, 'leave it out where price is given');
    if (isGiven(input.amount)) return invalid(name, 'must be absent where amount is fixed');
    const least = name === 'max_amount' ? unitsParser(absentOf(input.min_amount), input) : undefined;
    return typeof least === 'bigint' && units < least ? invalid(name, 'must not be below min_amount') : units;
  };
}

const isGiven = (value: unknown): boolean => absentOf(value) !== undefined;
const absentOf = (value: unknown): unknown => (value === null || value === '' ? undefined : value);

const readBody = fieldReader(
  LinkBody,
  { currency: currencyJudge },
  {
    amount: amountParser,
    price: parsePrice,
    currencies: parseChoices,
    min_amount: limitParser('min_amount'),
    max_amount: limitParser('max_amount'),
    success_url: returnAddressParser('success_url', maxUrlLength),
  },
  strictMoney,
);
export type LinkInput = Omit<ReturnType<typeof readBody>, 'price' | 'currency' | 'amount' | 'currencies'> & {
  asks: LinkAsks;
};

/** Reads the body that makes a link; throws the faults of contract.md#answers. */
export function readLinkBody(body: unknown, now: Date): LinkInput {
  const { price, currency = null, amount, currencies: choices = null, ...input } = readBody(body);
  if (input.expires_at !== undefined && new Date(input.expires_at) <= now)
    throw invalid('expires_at', 'must be in the future');
  if (price) return { ...input, asks: { price: price.price, currency, choices, amount: null } };
  if (currency === null) throw new Error('A link asks an amount or a price');
  return { ...input, asks: { price: null, currency, choices: null, amount: amount ?? null } };
}

export const LinkChangeBody = Type.Object({
  active: Type.Boolean({ description: 'false stops the link, true lets it take payments again.' }),
});
export const readLinkChange = fieldReader(LinkChangeBody);

export const LinkQuery = Type.Object(
  {
    ...pageFields,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  named('LinkFilter', 'Which page of payment links.'),
);
export const readLinkQuery = queryReader(LinkQuery);
