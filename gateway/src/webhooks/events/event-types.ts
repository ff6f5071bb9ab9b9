/** What a merchant can be told of a payment (contract.md 4). */
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
] as const;

export type PaymentEventType = (typeof paymentEventTypes)[number];

/** What the integration's other endpoints are told when Florin turns one of them off. */
export const endpointDisabled = 'webhook_endpoint_disabled';

/** What an endpoint can subscribe to. */
export const eventTypes = [...paymentEventTypes, endpointDisabled] as const;

export type EventType = (typeof eventTypes)[number];

/** What an endpoint hears of unless it asks for other events. */
export const defaultEventTypes: readonly PaymentEventType[] = [
  'payment_completed',
  'payment_failed',
  'payment_abandoned',
];
