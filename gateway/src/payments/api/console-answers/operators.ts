import { type Static, Type } from 'typebox';
import { FeeTerms, Mode } from '../../../identity/console/answers/integrations.ts';
import { Decimal, Id, orNull, pageSchema, Time } from '../../../kit/http/answers.ts';
import { Currency, PaymentStatus } from './payments.ts';

// What the calls of operators on currencies, fees and money that is not settled answer.

const text = Type.String();
const flag = Type.Boolean();

const Network = Type.Object({ asset: text, network: text, decimals: Type.Integer(), offered: flag });

export const CurrencyView = Type.Object({
  currency: Currency,
  offered: flag,
  minimum_usd: Decimal,
  default_asset: text,
  /** Of what a price comes to in it. */
  quote_decimals: Type.Integer(),
  networks: Type.Array(Network),
});
export type CurrencyView = Static<typeof CurrencyView>;
export const CurrencyPage = pageSchema(CurrencyView);

const FeeExample = Type.Object({ amount: Decimal, fee: Decimal, merchant_receives: Decimal });
export const FeeExamples = Type.Object({ examples: Type.Array(FeeExample) });
export type FeeExamples = Static<typeof FeeExamples>;
export const ChangedFee = Type.Object({ fee: FeeTerms, examples: Type.Array(FeeExample) });

/** Money of one rail and asset, as the ledger has it. */
export const Holding = Type.Object({
  mode: Mode,
  rail: text,
  asset: text,
  currency: orNull(Currency),
  network: orNull(text),
  on_addresses: Decimal,
  /** Of that, what operators have put there and not taken out again. */
  own_on_addresses: Decimal,
  in_treasury: Decimal,
});
export type Holding = Static<typeof Holding>;
export const HoldingPage = pageSchema(Holding);

const where = {
  transaction: text,
  /** On a block explorer, where there is one. */
  transaction_url: orNull(text),
  sender: orNull(text),
  sender_url: orNull(text),
};

export const OwedRefund = Type.Object({
  id: Id,
  payment_id: Id,
  reference: text,
  mode: Mode,
  integration_id: Id,
  integration_name: text,
  customer_email: orNull(text),
  asset: text,
  network: orNull(text),
  amount: Decimal,
  ...where,
  created_at: Time,
  state: Type.Enum(['requested', 'sending']),
  /** The gateway has a key for its network. */
  can_send: flag,
  /** Where it was last ordered to go, and why that failed. */
  destination: orNull(text),
  memo: orNull(text),
  fault: orNull(text),
});
export type OwedRefund = Static<typeof OwedRefund>;
export const OwedRefundPage = pageSchema(OwedRefund);

/** More came for a payment than was due, and the customer has not got it back yet. */
export const OwedOverpayment = Type.Object({
  id: Id,
  reference: text,
  integration_id: Id,
  integration_name: text,
  customer_email: orNull(text),
  completed_at: Time,
  amounts: Type.Array(Type.Object({ asset: text, network: orNull(text), amount: Decimal })),
});
export type OwedOverpayment = Static<typeof OwedOverpayment>;
export const OwedOverpaymentPage = pageSchema(OwedOverpayment);

export const OrderedRefund = Type.Object({ state: Type.Literal('sending') });
export const OrderedReturn = Type.Object({ state: Type.Literal('returning') });

/** A transfer that arrived for a payment and is not settled. */
export const SuspenseLine = Type.Object({
  id: Id,
  payment_id: Id,
  reference: text,
  status: PaymentStatus,
  reason: orNull(text),
  mode: Mode,
  integration_id: Id,
  integration_name: text,
  currency: Currency,
  asset: text,
  amount: Decimal,
  is_of_currency: flag,
  ...where,
  arrived_at: Time,
});
export type SuspenseLine = Static<typeof SuspenseLine>;
export const SuspensePage = pageSchema(SuspenseLine);

const match = {
  id: Id,
  reference: text,
  status: PaymentStatus,
  reason: orNull(text),
  mode: Mode,
  integration_id: Id,
  integration_name: text,
  customer_reference: orNull(text),
  customer_email: orNull(text),
  amount_due: Decimal,
  currency: Currency,
  created_at: Time,
};

/** A payment that money was likely meant for. */
export const LikelyMatch = Type.Object(match);
export type LikelyMatch = Static<typeof LikelyMatch>;
export const LikelyMatchPage = pageSchema(LikelyMatch);

const UnmatchedState = Type.Enum(['open', 'assigned', 'returning', 'returned', 'own']);
export type UnmatchedState = Static<typeof UnmatchedState>;

/** Money that came without naming a payment. */
export const UnmatchedDeposit = Type.Object({
  id: Id,
  /** `test`: a coin of a test network. */
  mode: Mode,
  rail: text,
  asset: text,
  network: orNull(text),
  amount: Decimal,
  ...where,
  memo: orNull(text),
  arrived_at: Time,
  state: UnmatchedState,
  /** How many payments' customers say that it is theirs, and how many of these have a proof. */
  claims: Type.Integer(),
  proofs: Type.Integer(),
  /** The gateway has a key for its network. */
  can_send: flag,
  /** Why it could not be sent back. */
  fault: orNull(text),
  /** Where it was ordered to go back to; its transaction is null until that is seen. */
  sent_back: orNull(
    Type.Object({
      to: text,
      to_url: orNull(text),
      memo: orNull(text),
      transaction: orNull(text),
      transaction_url: orNull(text),
    }),
  ),
  decided_at: orNull(Time),
  /** Null where an earlier version assigned it by a proof. */
  decided_by: orNull(text),
  reason: orNull(text),
  payment: orNull(
    Type.Object({
      reference: text,
      status: PaymentStatus,
      integration_id: Id,
      integration_name: text,
    }),
  ),
});
export type UnmatchedDeposit = Static<typeof UnmatchedDeposit>;
export const UnmatchedPage = pageSchema(UnmatchedDeposit);

/** A transfer with the payment's own memo, from the account that the money came from. */
const Proof = Type.Object({
  transaction: text,
  transaction_url: orNull(text),
  asset: text,
  amount: Decimal,
  arrived_at: Time,
  /** Payments of other customers that were paid from this account, and its other deposits without a payment. */
  other_payments: Type.Integer(),
  other_deposits: Type.Integer(),
});
export type Proof = Static<typeof Proof>;

export const DepositMatch = Type.Object({
  ...match,
  because: Type.Array(Type.Enum(['claim', 'account', 'memo', 'amount'])),
  /** When the customer named the transaction. */
  claimed_at: orNull(Time),
  proof: orNull(Proof),
  /** It was made after the money came. */
  is_later: flag,
});
export type DepositMatch = Static<typeof DepositMatch>;
export const DepositMatchPage = pageSchema(DepositMatch);

export const AssignedDeposit = Type.Object({ reference: text, payment_status: PaymentStatus });
export type AssignedDeposit = Static<typeof AssignedDeposit>;
