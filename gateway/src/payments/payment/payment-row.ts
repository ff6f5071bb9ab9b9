import type { FeePayer, IntegrationId, Mode } from '../../identity/integration.ts';
import type { Currency } from '../../money/assets.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import type { RateSources } from '../../rates/read-rates.ts';
import {
  type Charge,
  type Payment,
  type PaymentId,
  type PaymentStatus,
  type Reason,
  unusuals,
} from './payment.ts';
import type { Price } from './price.ts';

export type PaymentRow = {
  id: PaymentId;
  reference: string;
  token: string;
  integration_id: IntegrationId;
  mode: Mode;
  status: PaymentStatus;
  reason: Reason | null;
  payment_type: string;
  // All or none of these four.
  currency: Currency | null;
  amount: bigint | null;
  fee: bigint | null;
  amount_due: bigint | null;
  price_amount: bigint | null;
  price_currency: PriceCurrency | null;
  rate: bigint | null;
  rate_sources: RateSources | null;
  choices: Currency[] | null;
  fee_payer: FeePayer;
  tolerance: bigint;
  short_units: bigint | null;
  customer_email: string | null;
  customer_reference: string | null;
  success_url: string | null;
  failure_url: string | null;
  item_list: Payment['itemList'];
  meta_data: string | null;
  payment_note: string | null;
  method: string | null;
  awaited_rails: string[];
  unread_rails: string[] | null;
  unread_since: Date | null;
  deadline: Date;
  deadline_seconds: number;
  linked_at: Date | null;
  completed_at: Date | null;
  late_until: Date | null;
  late_window_seconds: number;
  link_id: string | null;
  one_use: boolean;
  is_invoice: boolean;
  asset_codes: string[] | null;
  short_percent: number | null;
  redirects: boolean | null;
  due_at: Date | null;
  version: number;
  event_sequence: number;
  is_late: boolean;
  is_part_paid: boolean;
  is_overpaid: boolean;
  has_refunds: boolean;
  shares_reversed: boolean;
  created_at: Date;
  updated_at: Date;
};

export function paymentOf(row: PaymentRow): Payment {
  return {
    id: row.id,
    reference: row.reference,
    token: row.token,
    integrationId: row.integration_id,
    mode: row.mode,
    status: row.status,
    reason: row.reason,
    paymentType: row.payment_type,
    ...chargeOfRow(row),
    price: priceOfRow(row),
    rate: row.rate,
    rateSources: row.rate_sources,
    choices: row.choices,
    feePayer: row.fee_payer,
    tolerance: row.tolerance,
    shortUnits: row.short_units,
    customerEmail: row.customer_email,
    customerReference: row.customer_reference,
    successUrl: row.success_url,
    failureUrl: row.failure_url,
    itemList: row.item_list,
    metaData: row.meta_data,
    paymentNote: row.payment_note,
    method: row.method,
    awaitedRails: row.awaited_rails,
    unreadRails: row.unread_rails,
    unreadSince: row.unread_since,
    deadline: row.deadline,
    deadlineSeconds: row.deadline_seconds,
    linkedAt: row.linked_at,
    completedAt: row.completed_at,
    lateUntil: row.late_until,
    lateWindowSeconds: row.late_window_seconds,
    linkId: row.link_id,
    oneUse: row.one_use,
    isInvoice: row.is_invoice,
    assetCodes: row.asset_codes,
    shortPercent: row.short_percent,
    redirects: row.redirects,
    dueAt: row.due_at,
    version: row.version,
    eventSequence: row.event_sequence,
    unusual: unusuals.filter((each) => row[`is_${each}`]),
    hasRefunds: row.has_refunds,
    sharesReversed: row.shares_reversed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function chargeOfRow({ currency, amount, fee, amount_due: amountDue }: PaymentRow) {
  return currency === null || amount === null || fee === null || amountDue === null
    ? { currency: null, amount: null, fee: null, amountDue: null }
    : ({ currency, amount, fee, amountDue } satisfies Charge);
}

/** The price in a row of payments or of payment links. */
export function priceOfRow({
  price_amount: amount,
  price_currency: currency,
}: Pick<PaymentRow, 'price_amount' | 'price_currency'>): Price | null {
  return amount === null || currency === null ? null : { amount, currency };
}

/** What may change of a payment, as a record of the JSON that the statement which writes payments reads. */
export function recordOf(payment: Payment) {
  return {
    id: payment.id,
    status: payment.status,
    reason: payment.reason,
    currency: payment.currency,
    amount: payment.amount?.toString(),
    fee: payment.fee?.toString(),
    amount_due: payment.amountDue?.toString(),
    rate: payment.rate?.toString(),
    tolerance: payment.tolerance.toString(),
    method: payment.method,
    awaited_rails: payment.awaitedRails,
    unread_rails: payment.unreadRails,
    unread_since: payment.unreadSince,
    deadline: payment.deadline,
    linked_at: payment.linkedAt,
    completed_at: payment.completedAt,
    late_until: payment.lateUntil,
    short_units: payment.shortUnits?.toString() ?? null,
    due_at: payment.dueAt,
    version: payment.version,
    event_sequence: payment.eventSequence,
    is_late: payment.unusual.includes('late'),
    is_part_paid: payment.unusual.includes('part_paid'),
    is_overpaid: payment.unusual.includes('overpaid'),
    has_refunds: payment.hasRefunds,
    shares_reversed: payment.sharesReversed,
    updated_at: payment.updatedAt,
  };
}
