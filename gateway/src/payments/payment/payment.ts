import type { FeePayer, IntegrationId, Mode } from '../../identity/integration.ts';
import type { Id } from '../../kit/ids.ts';
import { type Currency, currencyScale, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { RateSources } from '../../rates/read-rates.ts';
import { askedFeeNumber, askedNumber, askedOf, type Price } from './price.ts';

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

/** What is paid. Amounts are units at the currency's scale. */
export type Charge = { currency: Currency; amount: bigint; fee: bigint; amountDue: bigint };

/** Of an open payment: its customer has not chosen a currency yet. */
type NoCharge = { [Field in keyof Charge]: null };

/** A payment as it is stored. */
export type Payment = PaymentFields & (Charge | NoCharge);

/** A payment whose currency is known. */
export type ChargedPayment = PaymentFields & Charge;

type PaymentFields = {
  id: PaymentId;
  reference: string;
  token: string;
  integrationId: IntegrationId;
  mode: Mode;
  status: PaymentStatus;
  reason: Reason | null;
  paymentType: string;
  /** What the merchant asked, where that is a price in other money (contract.md#prices). */
  price: Price | null;
  /** By which a priced payment is paid, at `rateScale`; null where there is no price, or no quote yet. */
  rate: bigint | null;
  /** What the sources of that rate said, where the payment was quoted when it was made. */
  rateSources: RateSources | null;
  /** The currencies that the customer of a priced payment may choose from; null: the merchant chose. */
  choices: Currency[] | null;
  feePayer: FeePayer;
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
  /** It was made by the BTCPay door, whose webhooks tell of it (contract.md#btcpay). */
  isInvoice: boolean;
  /** The assets that its customer may choose; null: all that are offered. */
  assetCodes: string[] | null;
  /** How much less than is due completes it, in percent; null: as its integration has it. */
  shortPercent: number | null;
  /** Whether its page leads back to the shop by itself; null: it does. */
  redirects: boolean | null;
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

/** Whether the payment's currency is known; until then no money can come for it. */
export function isCharged(payment: Payment): payment is ChargedPayment {
  return payment.currency !== null;
}

/** A payment that money came for. Throws for one without a currency. */
export function chargedOf(payment: Payment): ChargedPayment {
  if (!isCharged(payment)) throw new Error(`Payment ${payment.id} has no currency yet`);
  return payment;
}

/** Units of the payment's currency as the decimal string that the API shows. */
export function decimal(payment: Pick<Charge, 'currency'>, units: bigint): string {
  return decimalOf(units, currencyScale[payment.currency]);
}

/** What a webhook says of the payment: the amounts that the merchant asked. */
export function eventPayment(payment: Payment) {
  return {
    id: payment.id,
    reference: payment.reference,
    currency: askedOf(payment).currency,
    amount: askedNumber(payment),
    status: payment.status,
    serviceFee: askedFeeNumber(payment),
    customerEmail: payment.customerEmail,
    customerReference: payment.customerReference,
    ...(payment.shortUnits !== null && { shortAmount: decimalOf(payment.shortUnits, fineScale) }),
  };
}
