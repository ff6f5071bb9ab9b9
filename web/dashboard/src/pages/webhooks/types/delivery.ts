import type { FaultKind } from './chaos.ts';
import type { Endpoint } from './endpoint.ts';
import type { EventType } from './event-types.ts';

/** Held: its endpoint was paused or turned off when the event happened, and nothing sends it by itself. */
export const deliveryStatuses = ['pending', 'held', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type Delivery = {
  id: string;
  endpoint: { id: string; url: string };
  event: { id: string; type: EventType; payment_reference: string; sequence: number };
  /** Whether a fault was injected into any attempt. */
  met_chaos: boolean;
  status: DeliveryStatus;
  attempts: number;
  created_at: string;
  next_attempt_at: string | null;
  last_attempt: {
    at: string;
    status_code: number | null;
    duration_ms: number;
    error: string | null;
    injected_fault: FaultKind | null;
  } | null;
};

export type Attempt = {
  n: number;
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  /** The fault that was injected on purpose; null: none. */
  injected_fault: FaultKind | null;
  request_headers: string | null;
  response_headers: string | null;
  response: string | null;
  response_is_cut: boolean;
};

export type DeliveryDetail = {
  id: string;
  endpoint: { id: string; url: string; status: Endpoint['status'] | 'deleted' };
  event: { id: string; type: EventType; payment_reference: string; sequence: number; body: string };
  status: DeliveryStatus;
  created_at: string;
  next_attempt_at: string | null;
  attempt_count: number;
  /** The newest first, 25 at most. */
  attempts: Attempt[];
};

/** Something that happened to a payment, and how many deliveries were made of it. */
export type PaymentEvent = {
  event_id: string;
  event_type: EventType;
  payment_reference: string;
  sequence: number;
  created_at: string;
  deliveries: number;
};
