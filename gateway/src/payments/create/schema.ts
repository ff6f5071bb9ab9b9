import { Type } from 'typebox';
import { refuse } from '../../kit/errors.ts';
import { named } from '../../kit/http/answers.ts';
import {
  endParser,
  type FieldJudge,
  type FieldParser,
  fieldReader,
  invalid,
  isJsonObject,
  queryReader,
  returnAddressParser,
} from '../../kit/http/fields.ts';
import { uuidPattern } from '../../kit/ids.ts';
import { type Currency, currencies, isCurrency } from '../../money/assets.ts';
import { isPriceCurrency, type PriceCurrency } from '../../money/price-currencies.ts';
import { parseAmount } from '../payment/amount.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { NewInvoice } from '../payment/invoice.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import {
  amountBesidePrice,
  ChoicesInput,
  currencyJudge,
  isPriced,
  PriceInput,
  parseChoices,
  parsePrice,
} from '../payment/price-fields.ts';
import type { AsksPrice } from './judge-prices.ts';

const text = (maxLength: number, description: string) =>
  Type.String({ maxLength, format: 'text', description });
const maxUrlLength = 2048;
const url = (description: string) => Type.String({ maxLength: maxUrlLength, format: 'uri', description });

const referencePattern = '^[A-Za-z0-9._:@~-]{1,100}$';
const references = new RegExp(referencePattern);

/** True for a text that could be a reference, a merchant's own or a generated one. */
export function isReference(text: string): boolean {
  return references.test(text);
}

export const CreateBody = Type.Object(
  {
    amount: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Amount to charge, in the currency itself; required where there is no `price`.',
      }),
    ),
    price: Type.Optional(PriceInput),
    currency: Type.Optional(
      Type.Enum(currencies, {
        description:
          'PI, USDC, USDT or CSK; required with `amount`. With `price`: what it is paid in, quoted at once; without it the customer chooses.',
        ...named('Currency', 'A currency that a payment can be charged in.'),
      }),
    ),
    currencies: Type.Optional(ChoicesInput),
    payment_type: Type.Enum(['deposit']),
    customer_email: Type.Optional(Type.String({ maxLength: 254, format: 'email' })),
    customer_reference: Type.Optional(text(255, "The merchant's own name for the customer.")),
    success_url: Type.Optional(url('Where the customer goes after paying.')),
    failure_url: Type.Optional(url('Where the customer goes when the payment failed or was cancelled.')),
    item_list: Type.Optional(
      Type.Object({
        items: Type.Array(
          Type.Object(
            {
              name: text(500, 'What is bought.'),
              price: Type.Number(),
              quantity: Type.Number(),
            },
            named('Item', 'One line of what is being bought, shown on the hosted page.'),
          ),
          { maxItems: 200 },
        ),
      }),
    ),
    payment_reference: Type.Optional(
      Type.String({ pattern: referencePattern, description: 'Unique; generated when absent.' }),
    ),
    meta_data: Type.Optional(Type.String({ description: 'A JSON object as a string, at most 8 KiB.' })),
    fee_payer: Type.Optional(
      Type.Enum(['merchant', 'customer'], {
        default: 'merchant',
        ...named(
          'FeePayer',
          'Who pays the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee.',
        ),
      }),
    ),
    payment_note: Type.Optional(text(1000, 'Free text, stored with the payment.')),
  },
  named(
    'PaymentInput',
    'Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units; `price` takes its place.',
  ),
);

const typeJudge: FieldJudge = (value) => {
  if (value === undefined) return refuse(paymentErrors.type_required);
  return value === 'deposit' ? null : refuse(paymentErrors.type_unsupported);
};

const referenceJudge: FieldJudge = (value) => {
  if (value === undefined) return null;
  if (typeof value !== 'string') return invalid('payment_reference', 'must be text');
  if (!isReference(value)) {
    return invalid('payment_reference', 'must be 1 to 100 characters of A-Z a-z 0-9 . _ : @ ~ -');
  }
  return value.startsWith('PAY_')
    ? invalid('payment_reference', 'PAY_ is reserved for generated references')
    : null;
};

const maxMetaBytes = 8 * 1024;

const metaDataJudge: FieldJudge = (value) => {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !isJsonObject(value)) {
    return invalid('meta_data', 'must be a string that holds a JSON object');
  }
  return Buffer.byteLength(value) > maxMetaBytes
    ? invalid('meta_data', `must have at most ${maxMetaBytes} bytes`)
    : null;
};

/** An amount as the number that was sent, which the answer repeats, and in units at the currency's scale. */
type SentAmount = { sent: number; units: bigint };

const amountParser: FieldParser<SentAmount | undefined> = (value, input) => {
  if (isPriced(input)) return amountBesidePrice(value);
  const units = parseAmount(value, isCurrency(input.currency) ? input.currency : undefined);
  return typeof units === 'bigint' ? { sent: value as number, units } : units;
};

const readFields = fieldReader(
  CreateBody,
  {
    currency: currencyJudge,
    payment_type: typeJudge,
    payment_reference: referenceJudge,
    meta_data: metaDataJudge,
  },
  {
    amount: amountParser,
    price: parsePrice,
    currencies: parseChoices,
    success_url: returnAddressParser('success_url', maxUrlLength),
    failure_url: returnAddressParser('failure_url', maxUrlLength),
  },
);

/**
 * What a payment asks. `sent` is the number that the answer repeats: an amount in units of its currency, or a price, whose
 * customer chooses a currency where it has none, among `choices` where they are named.
 */
export type Asks = { sent: number } & ({ price: null; amount: bigint; currency: Currency } | AsksPrice);

export type CreateInput = Omit<
  ReturnType<typeof readFields>,
  'amount' | 'price' | 'currency' | 'currencies'
> & { asks: Asks; own?: OwnTerms };

/** What an invoice may have of its own (contract.md#btcpay); null: as its integration has it. */
export type OwnTerms = {
  invoice: NewInvoice;
  deadlineSeconds: number | null;
  assetCodes: readonly string[] | null;
  shortPercent: number | null;
  redirects: boolean;
};

/** Reads the body of create; throws the faults of contract.md#answers in the specification's field order. */
export function readCreateBody(body: unknown): CreateInput {
  const { amount, price, currency, currencies: choices, ...fields } = readFields(body);
  if (price) return { ...fields, asks: { ...price, currency: currency ?? null, choices: choices ?? null } };
  if (!amount || !currency) throw new Error('A payment asks an amount or a price');
  const asks = { sent: amount.sent, amount: amount.units, price: null, currency } as const;
  return { ...fields, asks };
}

export const statuses = [
  'unlinked',
  'linked',
  'pending',
  'completed',
  'failed',
  'cancelled',
  'in-appeal',
] as const satisfies readonly PaymentStatus[];

const bareFrom = 'A date without a time is the beginning of its day, in UTC.';
const bareTo = 'A date without a time includes its whole day, in UTC.';

export const ListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...statuses])),
    currency: Type.Optional(
      Type.String({
        description: 'A coin or an ISO 4217 code: payments that are paid in it, or whose price is in it.',
      }),
    ),
    customer_reference: Type.Optional(text(255, 'Payments of this customer alone.')),
    payment_link: Type.Optional(
      Type.String({ pattern: uuidPattern.source, description: 'Payments made by the link with this id.' }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: `Created at or after this time. ${bareFrom}` }),
    ),
    to: Type.Optional(
      Type.String({ format: 'date-time', description: `Created before this time. ${bareTo}` }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the page before.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  named('PaymentFilter', 'Which payments, and which page.'),
);

const anyCurrency: FieldParser<Currency | PriceCurrency | undefined> = (value) => {
  if (value === undefined || isCurrency(value) || isPriceCurrency(value)) return value;
  return invalid('currency', `must be one of ${currencies.join(', ')}, or the ISO 4217 code of a price`);
};
export const readListQuery = queryReader(ListQuery, {}, { currency: anyCurrency, to: endParser('to') });
export type ListQuery = ReturnType<typeof readListQuery>;
