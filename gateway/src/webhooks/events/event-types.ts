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

/**
 * What the BTCPay door tells of an invoice (contract.md#btcpay), to endpoints that speak as it does. They are kept as events
 * are, take no number of a payment's events, and stand in no list of events.
 */
export const invoiceEventTypes = [
  'InvoiceCreated',
  'InvoiceReceivedPayment',
  'InvoiceProcessing',
  'InvoicePaymentSettled',
  'InvoiceSettled',
  'InvoiceExpired',
  'InvoiceExpiredPaidPartial',
  'InvoicePaidAfterExpiration',
  'InvoiceInvalid',
] as const;

export type InvoiceEventType = (typeof invoiceEventTypes)[number];

/** What is sent to receivers of merchants. */
export type SentType = EventType | InvoiceEventType;

export const sentTypes = [...eventTypes, ...invoiceEventTypes] as const;

/** As which API's webhooks the deliveries of an endpoint are sent: Florin's own, or those of the BTCPay door. */
export type WebhookFormat = 'florin' | 'greenfield';

/** Events that only endpoints of notices get, each one alone: a day's account, and a test. No list shows them. */
export type NoticeType = 'notice_day' | 'notice_test';

/** What an endpoint of notices has among its types when it is told of the first payment of a day alone. */
export const firstPayment = 'first_payment';
