import { type Static, Type } from 'typebox';
import { named, orNull, pageSchema, Time } from '../../kit/http/answers.ts';
import { eventTypes, sentTypes } from '../events/event-types.ts';

// What the calls on events and webhook endpoints answer, for the API's description.

const id = Type.String({ format: 'uuid' });
const eventType = Type.Enum(
  [...eventTypes],
  named('EventType', 'What an endpoint can subscribe to; the first three are the default.'),
);
const text = orNull(Type.String());

const endpoint = {
  id,
  url: Type.String({ format: 'uri' }),
  format: Type.Enum(['florin', 'greenfield'], {
    description: 'greenfield: a shop made it by the BTCPay door, and gets the webhooks of that API.',
  }),
  events: Type.Array(Type.Enum([...sentTypes])),
  status: Type.Enum(['active', 'paused', 'disabled']),
  created_at: Time,
};

export const EndpointItem = Type.Object(
  endpoint,
  named('WebhookEndpoint', 'A webhook endpoint, of the mode of its key.'),
);
export const EndpointPage = pageSchema(EndpointItem);

export const EndpointWithSecret = Type.Object(
  {
    ...endpoint,
    secret: Type.String({ description: 'whsec_ and base64; shown in this answer alone.' }),
  },
  named(
    'NewWebhookEndpoint',
    'An endpoint that was just made, or has a new secret: `secret` is never shown again.',
  ),
);

export const EventItem = Type.Object(
  {
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
  },
  named('StoredEvent', 'An event as it is stored.'),
);
export const EventPage = pageSchema(EventItem);

export const DeliveryStatus = Type.Enum(['pending', 'held', 'delivered', 'failed'], {
  description:
    'held: the endpoint was paused or disabled when it happened; activating the endpoint sends it.',
});
export type DeliveryStatus = Static<typeof DeliveryStatus>;

export const DeliveryPage = pageSchema(
  Type.Object(
    {
      id,
      event_id: id,
      status: DeliveryStatus,
      attempts: Type.Array(
        Type.Object(
          {
            at: Time,
            status_code: orNull(Type.Integer()),
            duration_ms: Type.Integer(),
            error: text,
            response: orNull(
              Type.String({
                description: 'The first 4,096 characters of the answer; the dashboard shows up to 64 KiB.',
              }),
            ),
          },
          named('DeliveryAttempt', 'One attempt to deliver an event.'),
        ),
      ),
      next_attempt_at: orNull(Time),
    },
    named('Delivery', 'The delivery of one event to one endpoint.'),
  ),
);

export const ResentData = Type.Object(
  {
    event_id: id,
    count: Type.Integer({ description: 'How many endpoints it goes to.' }),
  },
  named('ResentEvent', 'An event that is sent again.'),
);
export const ReplayData = Type.Object(
  {
    status: Type.Enum(['running', 'done']),
    since: orNull(Time),
    count: Type.Integer({ description: 'How many deliveries were queued so far; when it is done: in all.' }),
    total: orNull(
      Type.Integer({ description: 'How many there were when it began; null: more than 100,000.' }),
    ),
    started_at: Time,
    finished_at: orNull(Time),
  },
  named('Replay', 'The progress of a replay of failed and missed events.'),
);
export const TestEventData = Type.Object({ event_id: id });
