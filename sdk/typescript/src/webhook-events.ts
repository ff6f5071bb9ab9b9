import type { PaymentStatus } from './api-payments.ts';
import type { EventType } from './api-webhooks.ts';

/** Types of events about payouts. */
export type PayoutEventType = Extract<EventType, `payout_${string}`>;

/** Types of events about payments and their refunds. */
export type PaymentEventType = Exclude<EventType, 'webhook_endpoint_disabled' | PayoutEventType>;

/**
 * A webhook about a payment. Absent optional fields are empty strings; `amount` and `service_fee` are numbers in
 * `currency`; `timestamp`, when it happened, is in Unix seconds.
 */
export type PaymentEvent = {
  event_id: string;
  payment_id: string;
  /** PI, USDC, USDT or CSK; of a payment with a `price` the ISO 4217 code of that. */
  currency: string;
  amount: number;
  payment_reference: string;
  payment_status: PaymentStatus;
  service_fee: number;
  customer_email: string;
  customer_reference: string;
  integration_id: string;
  event_type: PaymentEventType;
  timestamp: number;
  /**
   * These four are there where the payment has a `price`: decimals, and empty before it has a quote. `paid_amount` and `short`
   * are there where a payment was completed with less than was due: it is what came.
   */
  paid_asset?: string;
  paid_amount?: string;
  paid_fee?: string;
  rate?: string;
  short?: true;
  /** These three are there in `payment_refunded`, `refund_created` and `refund_failed`; the amount is a decimal of the asset. */
  refund_id?: string;
  refund_asset?: string;
  refund_amount?: string;
};

/** A webhook about a payout. Absent optional fields are empty strings; `amount` and `fee` are decimals of `asset`. */
export type PayoutEvent = {
  event_id: string;
  payout_id: string;
  payout_reference: string;
  purpose: string;
  asset: string;
  amount: string;
  fee: string;
  to: string;
  memo: string;
  payout_status: string;
  transaction: string;
  integration_id: string;
  event_type: PayoutEventType;
  timestamp: number;
};

/** Another endpoint of the integration was disabled, because every attempt failed for days. */
export type WebhookEndpointDisabledEvent = {
  event_id: string;
  integration_id: string;
  event_type: 'webhook_endpoint_disabled';
  timestamp: number;
  endpoint_id: string;
  url: string;
  reason: string;
  /** ISO 8601 UTC. */
  failing_since: string;
};

/**
 * The body of a webhook; `event_type` tells which, and so do `'payment_reference' in event` and
 * `'payout_id' in event`. A later gateway may
 * send types that this version does not know. They are returned as they came: answer 200 and do nothing.
 */
export type WebhookEvent = PaymentEvent | PayoutEvent | WebhookEndpointDisabledEvent;
