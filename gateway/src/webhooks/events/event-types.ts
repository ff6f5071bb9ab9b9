/** The events of a payment (contract.md#webhooks). */
export const paymentEventTypes = [
  'payment_completed',
  'payment_failed',
  'payment_abandoned',
  'payment_linked',
  'payment_pending',
  'payment_cancelled',
  'payment_in_appeal',
  'payment_appeal_closed',
  'payment_refunded',
  'refund_created',
  'refund_failed',
] as const;

export type PaymentEventType = (typeof paymentEventTypes)[number];

/** The events of a payout (contract.md#payouts). */
export const payoutEventTypes = [
  'payout_awaiting_approval',
  'payout_completed',
  'payout_failed',
  'payout_cancelled',
] as const;

export type PayoutEventType = (typeof payoutEventTypes)[number];

/** The event that the integration's other endpoints get when Florin turns one of them off. */
export const endpointDisabled = 'webhook_endpoint_disabled';

/** What an endpoint can subscribe to. */
export const eventTypes = [...paymentEventTypes, ...payoutEventTypes, endpointDisabled] as const;

export type EventType = (typeof eventTypes)[number];

/** The types that an endpoint gets unless it subscribes to others. */
export const defaultEventTypes: readonly PaymentEventType[] = [
  'payment_completed',
  'payment_failed',
  'payment_abandoned',
];

/** Events that only endpoints of notices get, each one alone: a day's account, and a test. No list shows them. */
export type NoticeType = 'notice_day' | 'notice_test';

/** What an endpoint of notices has among its types when it is told of the first payment of a day alone. */
export const firstPayment = 'first_payment';
