import { type Static, Type } from 'typebox';
import { Mode } from '../../../identity/console/answers/integrations.ts';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { currencies } from '../../../money/assets.ts';
import { EventType, FaultKind } from '../../../webhooks/answers/console-answers.ts';
import { CreateBody, statuses } from '../../create/schema.ts';
import { unusuals } from '../../payment/payment.ts';

// What the dashboard's calls on payments answer. Amounts are decimals in the payment's currency where nothing else is
// said.

const text = Type.String();
const count = Type.Integer();

export const PaymentStatus = Type.Enum([...statuses]);
export type PaymentStatus = Static<typeof PaymentStatus>;
export const Currency = Type.Enum(currencies);
export type Currency = Static<typeof Currency>;
const AskedCurrency = Type.String();
const Unusual = Type.Enum([...unusuals]);
export type Unusual = Static<typeof Unusual>;
const TransferState = Type.Enum(['seen', 'final', 'gone']);

const line = {
  id: Id,
  payment_reference: text,
  /** What was asked, in its own money. */
  amount: Decimal,
  currency: AskedCurrency,
  /** What is paid, in which the amounts below are; null before a priced payment has a quote. */
  paid_currency: orNull(Currency),
  paid_amount: orNull(Decimal),
  paid_fee: orNull(Decimal),
  /** Of a priced payment's quote. */
  rate: orNull(Decimal),
  payment_status: PaymentStatus,
  reason: orNull(text),
  payment_type: text,
  unusual: Type.Array(Unusual),
  amount_due: orNull(Decimal),
  service_fee: Decimal,
  fee_payer: Type.Enum(['merchant', 'customer']),
  customer_email: orNull(text),
  customer_reference: orNull(text),
  success_url: orNull(text),
  failure_url: orNull(text),
  item_list: orNull(CreateBody.properties.item_list),
  meta_data: orNull(text),
  payment_note: orNull(text),
  payment_link: orNull(Id),
  deadline: Time,
  created_at: Time,
  updated_at: Time,
};

export const PaymentLine = Type.Object(line);
export type PaymentLine = Static<typeof PaymentLine>;
export const PaymentPage = pageSchema(PaymentLine);

/**
 * The newest payments of a filter, up to `counted_up_to`, by status and the currency that is paid; null: their customers have
 * not chosen.
 */
export const PaymentTotals = Type.Object({
  groups: Type.Array(
    Type.Object({ payment_status: PaymentStatus, currency: orNull(Currency), count, amount: Decimal }),
  ),
  /** What was asked in prices. */
  prices: Type.Array(
    Type.Object({ payment_status: PaymentStatus, currency: AskedCurrency, count, amount: Decimal }),
  ),
  counted_up_to: count,
});
export type PaymentTotals = Static<typeof PaymentTotals>;

/** A payment of either mode, as the search over both shows it. */
const FoundPayment = Type.Object({
  mode: Mode,
  payment_reference: text,
  amount: Decimal,
  currency: AskedCurrency,
  paid_currency: orNull(Currency),
  paid_amount: orNull(Decimal),
  payment_status: PaymentStatus,
  customer_email: orNull(text),
  created_at: Time,
});
export type FoundPayment = Static<typeof FoundPayment>;
export const FoundPayments = Type.Object({ items: Type.Array(FoundPayment) });
export type FoundPayments = Static<typeof FoundPayments>;

/** A transfer in its own asset. */
const Transfer = Type.Object({
  transaction: text,
  asset: text,
  amount: Decimal,
  confirmations: count,
  needed: count,
  state: TransferState,
  network: text,
  rail: text,
  /** On a block explorer, where there is one. */
  transaction_url: orNull(text),
  sender: orNull(text),
  sender_url: orNull(text),
  /** False for money of another currency, which pays nothing and waits to be refunded. */
  counts: Type.Boolean(),
  late: Type.Boolean(),
  /** The merchant's own address that it goes to, less the host's part; null: it is the gateway's. */
  own_address: orNull(text),
  seen_at: Time,
  final_at: orNull(Time),
  gone_at: orNull(Time),
});
export type Transfer = Static<typeof Transfer>;

/** What a customer says: the transaction with which they paid, or why they dispute the payment. */
export const Claim = Type.Object({ at: Time, kind: Type.Enum(['paid', 'dispute']), content: text });

const Attempt = Type.Object({
  at: Time,
  status_code: orNull(count),
  duration_ms: count,
  error: orNull(text),
  injected_fault: orNull(FaultKind),
  response: orNull(text),
});
export type Attempt = Static<typeof Attempt>;

const Delivery = Type.Object({
  id: Id,
  endpoint_id: Id,
  url: text,
  status: Type.Enum(['pending', 'delivered', 'failed']),
  next_attempt_at: orNull(Time),
  attempts: Type.Array(Attempt),
});
export type Delivery = Static<typeof Delivery>;

const PaymentEvent = Type.Object({
  event_id: Id,
  event_type: EventType,
  sequence: count,
  created_at: Time,
  body: text,
  deliveries: Type.Array(Delivery),
});
export type PaymentEvent = Static<typeof PaymentEvent>;

const LedgerLine = Type.Object({
  id: Id,
  at: Time,
  asset: text,
  amount: Decimal,
  cause: text,
  from: text,
  to: text,
});
export type LedgerLine = Static<typeof LedgerLine>;

/** Money that a transaction moved; `transaction_url` shows it on a block explorer, where there is one. */
const moved = { transaction: text, transaction_url: orNull(text), asset: text, amount: Decimal };

/** One thing that happened to a payment. */
export const TimelineEntry = Type.Union([
  Type.Object({ at: Time, kind: Type.Literal('status'), status: PaymentStatus, reason: orNull(text) }),
  Type.Object({ at: Time, kind: Type.Literal('transfer'), step: TransferState, ...moved }),
  Type.Object({ at: Time, kind: Type.Literal('sweep'), step: Type.Enum(['final', 'gone']), ...moved }),
  Type.Object({
    at: Time,
    kind: Type.Literal('event'),
    event_id: Id,
    event_type: EventType,
    deliveries: count,
  }),
  Type.Object({
    at: Time,
    kind: Type.Literal('webhook'),
    event_id: Id,
    event_type: EventType,
    delivery_id: Id,
    url: text,
    attempt: count,
    status_code: orNull(count),
    error: orNull(text),
    injected_fault: orNull(FaultKind),
    duration_ms: count,
  }),
  Type.Object({
    at: Time,
    kind: Type.Literal('request'),
    id: Id,
    method: text,
    path: text,
    status: count,
    duration_ms: Type.Number(),
  }),
  Type.Object({
    at: Time,
    kind: Type.Literal('staff'),
    action: text,
    actor: text,
    as_operator: Type.Boolean(),
  }),
  Type.Object({
    at: Time,
    kind: Type.Literal('claim'),
    claim: Type.Enum(['paid', 'dispute']),
    content: text,
  }),
]);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const PaymentDetail = Type.Object({
  ...line,
  /** Null for those who may not act for the customer. */
  page_url: orNull(text),
  /** When the rate of a priced payment was quoted, and what each source said of it. */
  quote: orNull(
    Type.Object({
      at: Time,
      sources: Type.Array(Type.Object({ name: text, rate: Decimal, at: Time })),
    }),
  ),
  /** Completed with less than was due: what was missing was within the tolerance. */
  short: Type.Boolean(),
  amount_received: Decimal,
  amount_missing: Decimal,
  surplus: Decimal,
  /** What of that is at the merchant's own address, and the host's part of it; null: no money came directly. */
  direct: orNull(Type.Object({ surplus: Decimal, host_part: Decimal })),
  method: orNull(text),
  linked_at: orNull(Time),
  completed_at: orNull(Time),
  late_until: orNull(Time),
  transfers: Type.Array(Transfer),
  claims: Type.Array(Claim),
  events: Type.Array(PaymentEvent),
  ledger: Type.Array(LedgerLine),
  timeline: Type.Array(TimelineEntry),
});
export type PaymentDetail = Static<typeof PaymentDetail>;
