import type { DeliveryStatus } from '../../../../../../gateway/src/webhooks/answers/answers.ts';
import type {
  Attempt,
  Delivery,
  DeliveryDetail,
  PaymentEvent,
} from '../../../../../../gateway/src/webhooks/answers/console-answers.ts';

export type { Attempt, Delivery, DeliveryDetail, DeliveryStatus, PaymentEvent };

/** Held: its endpoint was paused or turned off when the event happened; it is sent when that is activated. */
export const deliveryStatuses = [
  'pending',
  'held',
  'delivered',
  'failed',
] as const satisfies readonly DeliveryStatus[];
