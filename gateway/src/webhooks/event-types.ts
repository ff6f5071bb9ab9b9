/** What a merchant can be told (contract.md 4). */
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
] as const;

export type EventType = (typeof eventTypes)[number];

/** What an endpoint hears of unless it asks for other events. */
export const defaultEventTypes: readonly EventType[] = [
  'payment_completed',
  'payment_failed',
  'payment_abandoned',
];
