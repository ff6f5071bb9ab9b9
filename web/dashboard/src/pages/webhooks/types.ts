import type { Chaos } from './chaos.ts';

/** What a merchant can be told, those that an endpoint hears of by default first. */
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
  'webhook_endpoint_disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

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
  payment_refunded: 'The money went back.',
  webhook_endpoint_disabled: 'Another endpoint failed for seven days and was turned off.',
};

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Attempts of some last hours; latencies in ms, of those that were delivered. */
export type HealthWindow = {
  delivered: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
};

export type HealthHour = { hour: string; delivered: number; failed: number };

export type EndpointHealth = {
  last_day: HealthWindow;
  last_week: HealthWindow;
  hours: HealthHour[];
  last_success_at: string | null;
  /** Counted up to 10,000. */
  queued: number;
  next_attempt_at: string | null;
};

/** The last attempt that failed; `status_code` is null when no answer came. */
export type LastFailure = {
  at: string;
  status_code: number | null;
  error: string;
  /** The answer's beginning. */
  response: string | null;
  event_type: EventType;
  payment_reference: string;
};

/** Sending again what failed and was missed: how far it came. */
export type Replay = {
  status: 'running' | 'done';
  since: string | null;
  /** How many deliveries were queued so far. */
  count: number;
  /** How many there were when it began; null: more than can be counted quickly. */
  total: number | null;
  started_at: string;
  finished_at: string | null;
};

export type Endpoint = {
  id: string;
  url: string;
  description: string;
  events: EventType[];
  status: 'active' | 'paused' | 'disabled';
  disabled_reason: string | null;
  failing_since: string | null;
  verified_at: string | null;
  old_secret_until: string | null;
  headers: { name: string }[];
  created_at: string;
  /** Since when it hears of nothing, or did until it was activated; null when nothing is left to send. */
  missing_since: string | null;
  /** Events that it has no delivery of because it was paused or turned off. Counted up to 10,000. */
  missed_events: number;
  last_failure: LastFailure | null;
  replay: Replay | null;
  /** What goes wrong on purpose; null in live mode and where nothing does. */
  chaos: Partial<Chaos> | null;
  health: EndpointHealth;
};

/** What only the list tells. */
type Standing = 'health' | 'missing_since' | 'missed_events' | 'last_failure' | 'replay' | 'chaos';

export type EndpointWithSecret = Omit<Endpoint, Standing> & { secret: string };

/** What a person sets of an endpoint; a header without a value keeps the one it has. */
export type EndpointInput = {
  url: string;
  events: EventType[];
  description: string;
  headers: { name: string; value?: string }[];
};

export type Delivery = {
  id: string;
  endpoint: { id: string; url: string };
  event: { id: string; type: EventType; payment_reference: string; sequence: number };
  /** Whether any attempt went as it did on purpose. */
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
  } | null;
};

export type Attempt = {
  n: number;
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
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
