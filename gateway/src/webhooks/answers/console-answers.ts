import { type Static, Type } from 'typebox';
import { Mode } from '../../identity/console/answers/integrations.ts';
import { Id, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { sentTypes } from '../events/event-types.ts';
import { DeliveryStatus, ReplayData } from './answers.ts';
import { ChaosData, faultKinds } from './chaos-answers.ts';

// What the dashboard's calls on webhooks answer.

const text = Type.String();
const count = Type.Integer();

export const EventType = Type.Enum([...sentTypes]);
export type EventType = Static<typeof EventType>;
export const FaultKind = Type.Enum([...faultKinds]);
export type FaultKind = Static<typeof FaultKind>;
const EndpointStatus = Type.Enum(['active', 'paused', 'disabled']);

/** The attempts of one hour, by its beginning. */
const HealthHour = Type.Object({ hour: Time, delivered: count, failed: count });
export type HealthHour = Static<typeof HealthHour>;

/** How the attempts to all endpoints together went in the last 24 hours. */
export const WebhookOverview = Type.Object({
  endpoints: Type.Object({ active: count, paused: count, disabled: count }),
  delivered: count,
  failed: count,
  /** The share of the attempts that were delivered; null without any. */
  rate: orNull(Type.Number()),
  /** How many deliveries wait to be sent, counted up to 10,000 for each endpoint. */
  queued: count,
  /** The hours that had attempts, the oldest first. */
  hours: Type.Array(HealthHour),
});
export type WebhookOverview = Static<typeof WebhookOverview>;

/** Attempts of some last hours; latencies in ms, of those that were delivered. */
const HealthWindow = Type.Object({
  delivered: count,
  failed: count,
  p50_ms: orNull(Type.Number()),
  p95_ms: orNull(Type.Number()),
});
export type HealthWindow = Static<typeof HealthWindow>;

const EndpointHealth = Type.Object({
  last_day: HealthWindow,
  last_week: HealthWindow,
  /** Those of the last 24 hours that had attempts, the oldest first. */
  hours: Type.Array(HealthHour),
  last_success_at: orNull(Time),
  /** Counted up to 10,000. */
  queued: count,
  next_attempt_at: orNull(Time),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

/** The last attempt that failed; `status_code` is null when no answer came. */
const LastFailure = Type.Object({
  at: Time,
  status_code: orNull(count),
  error: text,
  /** The answer's beginning. */
  response: orNull(text),
  event_type: EventType,
  payment_reference: text,
});
export type LastFailure = Static<typeof LastFailure>;

/** How far a replay came. */
export const Replay = ReplayData;
export type Replay = Static<typeof Replay>;
export const ReplayOrNull = orNull(Replay);

/** What a replay would send. */
export const Counted = Type.Object({
  since: orNull(Time),
  count,
  failed: count,
  missed: count,
  counted_up_to: count,
});
export type Counted = Static<typeof Counted>;

const endpoint = {
  id: Id,
  url: text,
  description: text,
  /** As which API's webhooks its deliveries are sent. */
  format: Type.Enum(['florin', 'greenfield']),
  events: Type.Array(EventType),
  status: EndpointStatus,
  disabled_reason: orNull(text),
  failing_since: orNull(Time),
  missing_since: orNull(Time),
  /** It is active again, and what was held for it is still being queued. */
  catching_up: Type.Boolean(),
  /** Which faults are injected; null in live mode and where none are. */
  chaos: orNull(ChaosData),
  verified_at: orNull(Time),
  old_secret_until: orNull(Time),
  headers: Type.Array(Type.Object({ name: text })),
  created_at: Time,
};

export const EndpointSettings = Type.Object(endpoint);
export type EndpointSettings = Static<typeof EndpointSettings>;

export const EndpointWithSecret = Type.Object({ ...endpoint, secret: text });
export type EndpointWithSecret = Static<typeof EndpointWithSecret>;

export const Endpoint = Type.Object({
  ...endpoint,
  /** Events that happened while it was paused or disabled, and were not sent since. Counted up to 10,000. */
  missed_events: count,
  last_failure: orNull(LastFailure),
  replay: orNull(Replay),
  health: EndpointHealth,
});
export type Endpoint = Static<typeof Endpoint>;
export const EndpointPage = pageSchema(Endpoint);

export const RevealedSecret = Type.Object({ id: Id, secret: text });
export type RevealedSecret = Static<typeof RevealedSecret>;
export const SentTest = Type.Object({ event_id: Id });

const attempt = {
  at: Time,
  status_code: orNull(count),
  duration_ms: count,
  error: orNull(text),
  injected_fault: orNull(FaultKind),
};

const event = {
  id: Id,
  type: EventType,
  /** Empty where it is not of a payment. */
  payment_reference: text,
  /** What the payout is called, else its id; empty where it is not of a payout. */
  payout_reference: text,
  sequence: count,
};

export const Delivery = Type.Object({
  id: Id,
  endpoint: Type.Object({ id: Id, url: text }),
  event: Type.Object(event),
  /** Whether a fault was injected into any attempt. */
  met_chaos: Type.Boolean(),
  status: DeliveryStatus,
  attempts: count,
  created_at: Time,
  next_attempt_at: orNull(Time),
  last_attempt: orNull(Type.Object(attempt)),
});
export type Delivery = Static<typeof Delivery>;
export const DeliveryPage = pageSchema(Delivery);

const Attempt = Type.Object({
  ...attempt,
  n: count,
  request_headers: orNull(text),
  response_headers: orNull(text),
  response: orNull(text),
  response_is_cut: Type.Boolean(),
});
export type Attempt = Static<typeof Attempt>;

export const DeliveryDetail = Type.Object({
  id: Id,
  endpoint: Type.Object({
    id: Id,
    url: text,
    status: Type.Enum(['active', 'paused', 'disabled', 'deleted']),
  }),
  event: Type.Object({ ...event, body: text }),
  status: DeliveryStatus,
  created_at: Time,
  next_attempt_at: orNull(Time),
  attempt_count: count,
  /** The newest first, 25 at most. */
  attempts: Type.Array(Attempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const ResentDelivery = Type.Object({ id: Id });

/** Something that happened to a payment, and how many deliveries were made of it. */
export const PaymentEvent = Type.Object({
  event_id: Id,
  event_type: EventType,
  payment_reference: text,
  sequence: count,
  created_at: Time,
  body: text,
  deliveries: count,
});
export type PaymentEvent = Static<typeof PaymentEvent>;
export const PaymentEventPage = pageSchema(PaymentEvent);

/** To how many endpoints it goes. */
export const ResentEvent = Type.Object({ event_id: Id, count });
export type ResentEvent = Static<typeof ResentEvent>;

/** The newest events of several payments, and how many deliveries they became. */
export const ResentEvents = Type.Object({ events: count, count });
export type ResentEvents = Static<typeof ResentEvents>;

/** The deliveries of the whole installation, counted up to `counted_up_to`. */
const queue = { pending: count, failed: count, endpoints_due: count, oldest_due_at: orNull(Time) };

/** The modes apart; both together are counted up to `counted_up_to`. */
export const QueueState = Type.Object({
  live: Type.Object(queue),
  test: Type.Object(queue),
  counted_up_to: count,
});
export type QueueState = Static<typeof QueueState>;

export const FailedDelivery = Type.Object({
  id: Id,
  endpoint_id: Id,
  url: text,
  endpoint_status: EndpointStatus,
  integration_id: Id,
  integration_name: text,
  mode: Mode,
  event_type: EventType,
  payment_reference: text,
  payout_reference: text,
  attempts: count,
  last_attempt_at: orNull(Time),
  last_status_code: orNull(count),
  last_error: orNull(text),
});
export type FailedDelivery = Static<typeof FailedDelivery>;
export const FailedDeliveryPage = pageSchema(FailedDelivery);
