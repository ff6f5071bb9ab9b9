import { Type } from 'typebox';
import { Decimal, named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { currencies } from '../../money/assets.ts';
import { CreateBody, statuses } from '../create/schema.ts';
import { RefundData } from '../refunds/answers.ts';

// What the calls on payments answer, for the API's description.

const Status = Type.Enum(
  [...statuses],
  named('PaymentStatus', 'The status of a payment. Fulfil an order when a webhook says `completed`.'),
);
const text = orNull(Type.String());

const AskedCurrency = Type.String({
  description: 'PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that.',
});

export const CreatedData = Type.Object(
  {
    PaymentData: Type.Object({
      id: Type.String({ format: 'uuid' }),
      payment_reference: Type.String(),
      amount: Type.Number(),
      currency: AskedCurrency,
      payment_status: Status,
      payment_type: Type.String(),
      created_at: Time,
    }),
    PaymentURL: Type.String({ format: 'uri', description: 'Send the customer here.' }),
  },
  named(
    'CreatedPayment',
    'A payment that was made: keep `payment_reference`, send the customer to `PaymentURL`.',
  ),
);

export const InfoData = Type.Object(
  {
    payment_reference: Type.String(),
    amount: Type.Number(),
    currency: AskedCurrency,
    payment_status: Status,
    created_at: Time,
    updated_at: Time,
  },
  named('PaymentInfo', 'The short public record of a payment. `amount` is a number, times are ISO 8601 UTC.'),
);

const summary = {
  id: Type.String({ format: 'uuid' }),
  payment_reference: Type.String(),
  amount: Decimal,
  currency: AskedCurrency,
  payment_status: Status,
  reason: text,
  payment_type: Type.String(),
  amount_due: orNull(Decimal),
  service_fee: Decimal,
  fee_payer: Type.Enum(['merchant', 'customer']),
  customer_email: text,
  customer_reference: text,
  success_url: text,
  failure_url: text,
  item_list: orNull(CreateBody.properties.item_list),
  meta_data: text,
  payment_note: text,
  payment_link: text,
  deadline: Time,
  created_at: Time,
  updated_at: Time,
  PaymentURL: orNull(
    Type.String({
      format: 'uri',
      description: 'Null for a key that may neither create payments nor make refunds.',
    }),
  ),
};

const QuoteData = Type.Object(
  {
    currency: Type.Enum(currencies),
    amount: Decimal,
    rate: Decimal,
    at: Time,
    sources: Type.Array(Type.Object({ name: Type.String(), rate: Decimal, at: Time })),
  },
  named(
    'Quote',
    "What pays a `price`: `rate` is units of the price's currency for one of `currency`, with what each source said.",
  ),
);

export const RefundPage = pageSchema(RefundData);

export const PaymentPage = pageSchema(
  Type.Object(
    summary,
    named(
      'PaymentSummary',
      'A payment as `payments.list` returns it. Amounts are decimal strings; `reason` is why it has its status.',
    ),
  ),
);

export const PaymentDetail = Type.Object(
  {
    ...summary,
    short: Type.Boolean({
      description: 'Completed with less than was due, since what was missing was within the tolerance.',
    }),
    settlement: Type.Optional(
      Type.Enum(['balance', 'direct'], {
        description:
          'Of one payment that is read or cancelled. `direct`: all its addresses pass what comes on to your own.',
      }),
    ),
    quote: Type.Optional(orNull(QuoteData)),
    amount_received: orNull(Decimal),
    transfers: Type.Array(
      Type.Object(
        {
          transaction: Type.String(),
          asset: Type.String(),
          amount: Decimal,
          confirmations: Type.Integer(),
          needed: Type.Integer(),
          state: Type.Enum(['seen', 'final', 'gone']),
          network: Type.String(),
          sender: text,
          transaction_url: text,
          sender_url: text,
        },
        named('Transfer', 'A transfer that was seen for a payment; `amount` is a decimal string in `asset`.'),
      ),
    ),
    timeline: Type.Array(
      Type.Object(
        { at: Time, status: Status, reason: text },
        named('TimelineEntry', 'One step in the life of a payment.'),
      ),
    ),
    refunds: Type.Array(RefundData),
  },
  named('Payment', 'Everything known of a payment. Amounts are decimal strings.'),
);
