import { type Static, Type } from 'typebox';
import { Mode } from '../../../identity/console/answers/integrations.ts';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { Claim, Currency, PaymentStatus } from './payments.ts';

// What the dashboard's calls on appeals answer.

const text = Type.String();
const flag = Type.Boolean();

export const AppealReason = Type.Enum(['part_paid', 'late', 'paid_after_end', 'disputed', 'reorg']);
export type AppealReason = Static<typeof AppealReason>;
export const Author = Type.Enum(['merchant', 'customer', 'operator']);
export type Author = Static<typeof Author>;

const summary = {
  id: Id,
  status: Type.Enum(['open', 'closed']),
  reason: AppealReason,
  /** `reorg`: nothing that came was left on its chain; `covered_again`: it came back, and nobody decided. */
  decision: orNull(Type.Enum(['accepted', 'dispute_rejected', 'returned', 'reorg', 'covered_again'])),
  opened_at: Time,
  closed_at: orNull(Time),
  integration: Type.Object({ id: Id, name: text }),
  mode: Mode,
  payment_id: Id,
  payment_reference: text,
  currency: Currency,
  amount: Decimal,
  amount_due: Decimal,
  amount_received: Decimal,
  customer: orNull(text),
  last_message: orNull(Type.Object({ author: Author, text, at: Time })),
};

export const AppealSummary = Type.Object(summary);
export type AppealSummary = Static<typeof AppealSummary>;
export const AppealPage = pageSchema(AppealSummary);

const AssetAmount = Type.Object({ asset: text, network: text, amount: Decimal });
export type AssetAmount = Static<typeof AssetAmount>;
const amounts = Type.Array(AssetAmount);

/** The shares that the money has once the payment is completed. */
const shares = { receives: amounts, fee: amounts, surplus: amounts };
const Shares = Type.Object(shares);
export type Shares = Static<typeof Shares>;

/** What a decision would do with the money now; `refusal` says why it cannot be made now. */
const Acceptance = Type.Object({ refusal: orNull(text), ...shares });
const RefundPlan = Type.Object({
  refusal: orNull(text),
  to_wallet: amounts,
  owed: amounts,
  from_business: amounts,
  shortage: amounts,
  fee_given_up: amounts,
});
export type RefundPlan = Static<typeof RefundPlan>;

const Evidence = Type.Object({
  transaction: text,
  transaction_url: orNull(text),
  sender: orNull(text),
  sender_url: orNull(text),
  asset: text,
  network: text,
  amount: Decimal,
  confirmations: Type.Integer(),
  needed: Type.Integer(),
  state: Type.Enum(['seen', 'final', 'gone']),
  from_wallet: flag,
  is_of_currency: flag,
  seen_at: Time,
  returned_at: orNull(Time),
});
export type Evidence = Static<typeof Evidence>;

const Message = Type.Object({ id: Id, author: Author, name: orNull(text), text, at: Time });

export const Appeal = Type.Object({
  ...summary,
  payment_status: PaymentStatus,
  opened_from: PaymentStatus,
  /** Of a priced payment: rates are units of `currency` for one of the appeal's. Null today: there is no rate now. */
  price: orNull(
    Type.Object({
      amount: Decimal,
      currency: text,
      rate: Decimal,
      rate_today: orNull(Decimal),
      /** What was received is worth this today. */
      received_today: orNull(Decimal),
    }),
  ),
  fee: Decimal,
  customer_email: orNull(text),
  deadline: Time,
  decided_by: orNull(Type.Object({ as: Type.Enum(['merchant', 'operator']), name: orNull(text) })),
  note: orNull(text),
  transfers: Type.Array(Evidence),
  claims: Type.Array(Claim),
  messages: Type.Array(Message),
  timeline: Type.Array(Type.Object({ at: Time, status: PaymentStatus, reason: orNull(text) })),
  /** Null where the reason does not allow a decision. */
  decisions: Type.Object({
    accept: orNull(Acceptance),
    return: orNull(RefundPlan),
    /** `left`: what is settled with it because some of the money has left its chain; null: no money moves. */
    reject: orNull(Type.Object({ refusal: orNull(text), left: orNull(Shares) })),
  }),
});
export type Appeal = Static<typeof Appeal>;
