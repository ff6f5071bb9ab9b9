import type { EventType } from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';
import { t } from '../../../texts/t.ts';

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

export const eventHelp: Record<(typeof eventTypes)[number], string> = {
  payment_completed: t('Paid in full and final. Sent once in a payment’s life.'),
  payment_failed: t('It failed; the customer may try again.'),
  payment_abandoned: t('Its deadline passed and nothing had come.'),
  payment_linked: t('The customer chose how to pay.'),
  payment_pending: t('Money was seen, and is not final yet.'),
  payment_cancelled: t('The customer or you cancelled it.'),
  payment_in_appeal: t('A person must look at it.'),
  payment_appeal_closed: t('An appeal ended and the payment stays completed.'),
  payment_refunded: t('A refund left and is final.'),
  refund_created: t('A refund was ordered.'),
  refund_failed: t('A refund could not be sent; it is owed again.'),
  payout_awaiting_approval: t('A payout waits until somebody approves it.'),
  payout_completed: t('A payout left and is final.'),
  payout_failed: t('A payout could not be sent; the money is back.'),
  payout_cancelled: t('A payout was cancelled or rejected.'),
  webhook_endpoint_disabled: t('Another endpoint failed for seven days and was turned off.'),
};
