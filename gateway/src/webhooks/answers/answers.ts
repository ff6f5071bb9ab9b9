import { type Static, Type } from 'typebox';
import { orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { eventTypes } from '../events/event-types.ts';

// What the calls on events and webhook endpoints answer, for the API's description.

const id = Type.String({ format: 'uuid' });
const eventType = Type.Enum([...eventTypes]);
const text = orNull(Type.String());

const endpoint = {
  id,
  url: Type.String({ format: 'uri' }),
  events: Type.Array(eventType),
  status: Type.Enum(['active', 'paused', 'disabled']),
  created_at: Time,
};

export const EndpointItem = Type.Object(endpoint);
export const EndpointPage = pageSchema(EndpointItem);

export const EndpointWithSecret = Type.Object({
  ...endpoint,
  secret: Type.String({ description: 'whsec_ and base64; shown in this answer alone.' }),
});

export const EventItem = Type.Object({
  event_id: id,
  event_type: eventType,
  payment_reference: Type.String({ description: 'Empty when the event is not of a payment.' }),
  payout_reference: Type.String({
    description: 'Empty when the event is not of a payout, or the payout has none.',
  }),
  sequence: Type.Integer({
    description: "The event's number within its payment or payout, from 1; 0 when it is of neither.",
  }),
  created_at: Time,
  body: Type.String({ description: 'The exact text that was, or would have been, sent.' }),
});
export const EventPage = pageSchema(EventItem);

export const DeliveryStatus = Type.Enum(['pending', 'held', 'delivered', 'failed'], {
  description:
    'held: the endpoint was paused or disabled when it happened; activating the endpoint sends it.',
});
export type DeliveryStatus = Static<typeof DeliveryStatus>;

export const DeliveryPage = pageSchema(
  Type.Object({
    id,
    event_id: id,
    status: DeliveryStatus,
    attempts: Type.Array(
      Type.Object({
        at: Time,
        status_code: orNull(Type.Integer()),
        duration_ms: Type.Integer(),
        error: text,
        response: orNull(
          Type.String({
            description: 'The first 4,096 characters of the answer; the dashboard shows up to 64 KiB.',
          }),
        ),
      }),
    ),
    next_attempt_at: orNull(Time),
  }),
);

export const ResentData = Type.Object({
  event_id: id,
  count: Type.Integer({ description: 'How many endpoints it goes to.' }),
});
export const ReplayData = Type.Object({
  status: Type.Enum(['running', 'done']),
  since: orNull(Time),
  count: Type.Integer({ description: 'How many deliveries were queued so far; when it is done: in all.' }),
  total: orNull(Type.Integer({ description: 'How many there were when it began; null: more than 100,000.' })),
  started_at: Time,
  finished_at: orNull(Time),
});
export const TestEventData = Type.Object({ event_id: id });
