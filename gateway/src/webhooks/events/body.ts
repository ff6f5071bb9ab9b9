import type { IntegrationId, Mode } from '../../identity/integration.ts';
import { endpointDisabled, type PaymentEventType, type PayoutEventType } from './event-types.ts';

/** What happened to a payment. Amounts are JSON numbers in what the merchant asked, as the contract has them. */
export type EventInput = {
  integrationId: IntegrationId;
  mode: Mode;
  type: PaymentEventType;
  /** The event's number within its payment, from 1. */
  sequence: number;
  /** The real time at which it happened. */
  at: Date;
  payment: {
    id: string;
    reference: string;
    currency: string;
    amount: number;
    status: string;
    /** 0 unless a fee is charged. */
    serviceFee: number;
    customerEmail: string | null;
    customerReference: string | null;
    /** What it was completed with, a decimal, where that was less than was due. */
    shortAmount?: string;
  };
  /** How a priced payment is paid: its quote, as decimals; empty before there is one. */
  paid?: { asset: string; amount: string; fee: string; rate: string };
  /** The refund that it is of; `amount` is a decimal at the scale of `asset`. */
  refund?: { id: string; asset: string; amount: string };
};

/** The text of a webhook: the fields of service-spec 6.2 in that order, absent ones empty (contract.md#webhooks). */
export function eventBody(eventId: string, event: EventInput): string {
  const { integrationId, type, at, payment, paid, refund } = event;
  return JSON.stringify({
    event_id: eventId,
    payment_id: payment.id,
    currency: payment.currency,
    amount: payment.amount,
    payment_reference: payment.reference,
    payment_status: payment.status,
    service_fee: payment.serviceFee,
    customer_email: payment.customerEmail ?? '',
    customer_reference: payment.customerReference ?? '',
    integration_id: integrationId,
    event_type: type,
    timestamp: Math.floor(at.getTime() / 1000),
    ...(paid && { paid_asset: paid.asset, paid_amount: paid.amount, paid_fee: paid.fee, rate: paid.rate }),
    ...(payment.shortAmount !== undefined && { short: true, paid_amount: payment.shortAmount }),
    ...(refund && { refund_id: refund.id, refund_asset: refund.asset, refund_amount: refund.amount }),
  });
}

/** What happened to a payout. Amounts are decimals at the scale of `asset`. */
export type PayoutEventInput = {
  integrationId: IntegrationId;
  mode: Mode;
  type: PayoutEventType;
  /** The event's number within its payout, from 1. */
  sequence: number;
  /** The real time at which it happened. */
  at: Date;
  payout: {
    id: string;
    /** What the merchant called it. */
    reference: string | null;
    purpose: string;
    asset: string;
    amount: string;
    fee: string;
    to: string;
    memo: string | null;
    status: string;
    transaction: string | null;
  };
};

/** The text of a webhook about a payout: the fields of contract.md#payouts in that order, absent ones empty. */
export function payoutBody(eventId: string, { integrationId, type, at, payout }: PayoutEventInput): string {
  return JSON.stringify({
    event_id: eventId,
    payout_id: payout.id,
    payout_reference: payout.reference ?? '',
    purpose: payout.purpose,
    asset: payout.asset,
    amount: payout.amount,
    fee: payout.fee,
    to: payout.to,
    memo: payout.memo ?? '',
    payout_status: payout.status,
    transaction: payout.transaction ?? '',
    integration_id: integrationId,
    event_type: type,
    timestamp: Math.floor(at.getTime() / 1000),
  });
}

/** An endpoint that Florin disabled, and why. */
export type DisabledEndpoint = { id: string; url: string; reason: string; failingSince: Date };

/** The text of a webhook about an endpoint that was disabled; `failing_since` is ISO 8601. */
export function disabledBody(
  eventId: string,
  { integrationId, endpoint, at }: { integrationId: string; endpoint: DisabledEndpoint; at: Date },
): string {
  return JSON.stringify({
    event_id: eventId,
    integration_id: integrationId,
    event_type: endpointDisabled,
    timestamp: Math.floor(at.getTime() / 1000),
    endpoint_id: endpoint.id,
    url: endpoint.url,
    reason: endpoint.reason,
    failing_since: endpoint.failingSince.toISOString(),
  });
}
