import { type Static, Type } from 'typebox';
import { orNull, Time } from '../../kit/http/answers.ts';
import { faultKinds } from '../endpoints/chaos.ts';
import { eventTypes } from '../events/event-types.ts';

// What the dashboard's calls on webhooks answer.

const count = Type.Integer();

export const EventType = Type.Enum([...eventTypes]);
export type EventType = Static<typeof EventType>;
export const FaultKind = Type.Enum([...faultKinds]);
export type FaultKind = Static<typeof FaultKind>;

/** The attempts of one hour, by its beginning. */
export const HealthHour = Type.Object({ hour: Time, delivered: count, failed: count });
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
