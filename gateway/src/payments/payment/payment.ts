import type { FeePayer, IntegrationId, Mode } from '../../identity/integration.ts';
import type { Id } from '../../kit/ids.ts';
import { type Currency, currencyScale, fineScale } from '../../money/assets.ts';
import { decimalOf, numberOf } from '../../money/money.ts';

/** The seven values of `payment_status`. */
export type PaymentStatus =
  | 'unlinked'
  | 'linked'
  | 'pending'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'in-appeal';

/** Why a payment has its status, where the status alone does not explain it. */
export type Reason =
  | 'abandoned'
  | 'customer'
  | 'merchant'
  | 'simulated'
  | 'reorg'
  | 'part_paid'
  | 'late'
  | 'paid_after_end'
  | 'disputed'
  | 'accepted'
  | 'dispute_rejected'
  | 'returned'
  | 'covered_again'
  | 'short';

export const unusuals = ['late', 'part_paid', 'overpaid'] as const;

/** What a person should look at: money that came after the deadline, too little of it, or too much of it. */
export type Unusual = (typeof unusuals)[number];

export type PaymentId = Id<'payment'>;

/** A payment as it is stored. Amounts are units at the currency's scale. */
export type Payment = {
  id: PaymentId;
  reference: string;
  token: string;
  integrationId: IntegrationId;
  mode: Mode;
  status: PaymentStatus;
  reason: Reason | null;
  paymentType: string;
  currency: Currency;
  amount: bigint;
  fee: bigint;
  feePayer: FeePayer;
  amountDue: bigint;
  /** How much less than is due completes it. */
  tolerance: bigint;
  /** What it was completed with, at `fineScale`, where that was less than is due; null: it was not completed short. */
  shortUnits: bigint | null;
  customerEmail: string | null;
  customerReference: string | null;
  successUrl: string | null;
  failureUrl: string | null;
  itemList: { items: { name: string; price: number; quantity: number }[] } | null;
  metaData: string | null;
  paymentNote: string | null;
  method: string | null;
  /** The rails on which its customer was shown where to send money, or which reported some. */
  awaitedRails: string[];
  /** Those of them that were not read past the moment since which it is due; null: it does not wait. */
  unreadRails: string[] | null;
  unreadSince: Date | null;
  deadline: Date;
  deadlineSeconds: number;
  linkedAt: Date | null;
  completedAt: Date | null;
  lateUntil: Date | null;
  lateWindowSeconds: number;
  /** The payment link that it was made by. */
  linkId: string | null;
  /** Its link takes one completed payment: once abandoned, it is completed by nobody but a person. */
  oneUse: boolean;
  dueAt: Date | null;
  version: number;
  eventSequence: number;
  unusual: Unusual[];
  /** Whether it has refunds, of any status. */
  hasRefunds: boolean;
  /** Whether its shares were booked back to suspense, and not settled anew. */
  sharesReversed: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** Units of the payment's currency as the decimal string that the API shows. */
export function decimal(payment: Pick<Payment, 'currency'>, units: bigint): string {
  return decimalOf(units, currencyScale[payment.currency]);
}

/** Units of the payment's currency as the JSON number of create, info and webhooks. */
export function jsonNumber(payment: Pick<Payment, 'currency'>, units: bigint): number {
  return numberOf(units, currencyScale[payment.currency]);
}

/** What a webhook says of the payment. */
export function eventPayment(payment: Payment) {
  return {
    id: payment.id,
    reference: payment.reference,
    currency: payment.currency,
    amount: jsonNumber(payment, payment.amount),
    status: payment.status,
    serviceFee: jsonNumber(payment, payment.fee),
    customerEmail: payment.customerEmail,
    customerReference: payment.customerReference,
    ...(payment.shortUnits !== null && { shortAmount: decimalOf(payment.shortUnits, fineScale) }),
  };
}
