import type { EventType } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';

export type { EventType };

/** All event types; those that an endpoint gets by default come first. */
export const eventTypes = [
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
  'payout_awaiting_approval',
  'payout_completed',
  'payout_failed',
  'payout_cancelled',
  'webhook_endpoint_disabled',
] as const satisfies readonly EventType[];

export const defaultEventTypes: readonly EventType[] = eventTypes.slice(0, 3);

export const eventHelp: Record<EventType, string> = {
  payment_completed: 'Paid in full and final. Sent once in a payment’s life.',
  payment_failed: 'It failed; the customer may try again.',
  payment_abandoned: 'Its deadline passed and nothing had come.',
  payment_linked: 'The customer chose how to pay.',
  payment_pending: 'Money was seen, and is not final yet.',
  payment_cancelled: 'The customer or you cancelled it.',
  payment_in_appeal: 'A person must look at it.',
  payment_appeal_closed: 'An appeal ended and the payment stays completed.',
  payment_refunded: 'A refund left and is final.',
  refund_created: 'A refund was ordered.',
  refund_failed: 'A refund could not be sent; it is owed again.',
  payout_awaiting_approval: 'A payout waits until somebody approves it.',
  payout_completed: 'A payout left and is final.',
  payout_failed: 'A payout could not be sent; the money is back.',
  payout_cancelled: 'A payout was cancelled or rejected.',
  webhook_endpoint_disabled: 'Another endpoint failed for seven days and was turned off.',
};
