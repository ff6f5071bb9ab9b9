import { Type } from 'typebox';
import { named } from '../../kit/http/answers.ts';
import { fieldReader, queryReader } from '../../kit/http/fields.ts';
import { defaultEventTypes, eventTypes } from '../events/event-types.ts';

export const url = Type.String({
  maxLength: 2048,
  format: 'uri',
  description: 'Where webhooks go: on the public internet, and https in live mode.',
});
const eventType = Type.Enum([...eventTypes]);
const events = Type.Array(eventType, {
  minItems: 1,
  uniqueItems: true,
  description: `The events that are sent to the endpoint; by default ${defaultEventTypes.join(', ')}.`,
});

export const CreateBody = Type.Object(
  { url, events: Type.Optional(events) },
  named('WebhookEndpointInput', 'Body of `webhookEndpoints.create`.'),
);
export const readCreateBody = fieldReader(CreateBody);

export const UpdateBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    status: Type.Optional(Type.Enum(['active', 'paused'])),
  },
  named('WebhookEndpointChange', 'The changes of an endpoint; absent fields stay as they are.'),
);
export const readUpdateBody = fieldReader(UpdateBody);

const daySeconds = 24 * 3600;

export const RollBody = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * daySeconds,
      default: daySeconds,
      description: 'How long the old secret goes on signing beside the new one.',
    }),
  ),
});
export const readRollBody = fieldReader(RollBody);
export const defaultOverlapSeconds = daySeconds;

export const TestBody = Type.Object({ event_type: Type.Optional(eventType) });
export const readTestBody = fieldReader(TestBody);

export const replayWish = {
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only what happened from this time on; absent: all.' }),
  ),
  only: Type.Optional(
    Type.Enum(['failed', 'missed'], {
      description:
        'failed: deliveries that are not tried again by themselves. missed: those held for it. Absent: both.',
    }),
  ),
};
export const ReplayBody = Type.Object(replayWish, named('ReplayInput', 'Body of `webhookEndpoints.replay`.'));
export const readReplayBody = fieldReader(ReplayBody);

const page = {
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};
export const defaultLimit = 20;

export const PageQuery = Type.Object(page, named('PageFilter', 'Which page of a list.'));
export const readPageQuery = queryReader(PageQuery);

export const EventsQuery = Type.Object(
  { type: Type.Optional(eventType), ...page },
  named('EventFilter', 'Which events, and which page.'),
);
export const readEventsQuery = queryReader(EventsQuery);
