import type { Console } from '../../identity/console/console.ts';
import { EventItem, EventPage, ResentData } from '../answers/answers.ts';
import { PaymentEventPage, ResentEvent, ResentEvents } from '../answers/console-answers.ts';
import { eventsOfPayment, findEvent, lastEvents, listEvents, resendEvents } from '../events/events.ts';
import { eventResent, eventsResent } from './changes.ts';
import { readEventsQuery as readPaymentQuery, readResendBody } from './console-schema.ts';
import type { KeyCalls, WebhookConsoleDeps } from './key-calls.ts';
import { defaultLimit, EventsQuery, readEventsQuery } from './schema.ts';

const read = { may: 'read events', tags: ['Events'] } as const;

/** Reading events and sending them once more, by an API key. */
export function eventRoutes(calls: KeyCalls, { db, hints, now }: WebhookConsoleDeps): void {
  calls.get(
    '/events',
    {
      ...read,
      querystring: EventsQuery,
      answer: EventPage,
      operationId: 'listEvents',
      sdk: 'events.list({query})',
      summary: 'List events, newest first',
      description: 'What webhooks reported to your endpoints, or would have reported.',
    },
    async ({ owner, query }) => {
      const { limit = defaultLimit, ...filter } = readEventsQuery(query);
      return { message: 'Events', data: await listEvents(db, owner, { ...filter, limit }) };
    },
  );

  calls.get(
    '/events/:id',
    {
      ...read,
      answer: EventItem,
      operationId: 'getEvent',
      sdk: 'events.get({id})',
      summary: 'One event',
      description: 'The event with its body, and the state of its deliveries.',
    },
    async ({ owner, id }) => ({
      message: 'Event',
      data: await findEvent(db, owner, id),
    }),
  );

  calls.write(
    'POST',
    '/events/:id/resend',
    {
      may: 'resend events',
      tags: read.tags,
      scope: 'resend',
      answer: ResentData,
      operationId: 'resendEvent',
      sdk: 'events.resend({id}, {key})',
      summary: 'Send an event once more, the same bytes',
      description:
        'Goes to every active endpoint that subscribes to it, with the same `event_id`: a receiver that handles each event once ignores it.',
    },
    async (tx, { owner, id }) => {
      const event = await findEvent(tx, owner, id);
      const { event_id } = event;
      const count = await resendEvents(tx, hints, [event_id], now());
      return { message: 'Event re-sent', data: { event_id, count }, change: eventResent(event, count) };
    },
  );
}

/** In the dashboard: the events of a payment, whether or not an endpoint subscribed to them. */
export function eventConsoleRoutes(dashboard: Console, { db, hints, now }: WebhookConsoleDeps): void {
  dashboard.get('mode', '/events', { may: 'read', answer: PaymentEventPage }, async ({ owner, query }) => {
    const items = await eventsOfPayment(db, owner, readPaymentQuery(query).reference);
    return { message: 'Events', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'POST',
    'mode',
    '/events/resend',
    { may: 'resend webhooks', answer: ResentEvents },
    async (tx, { owner, body }) => {
      const { references } = readResendBody(body);
      const ids = await lastEvents(tx, owner, references);
      const count = await resendEvents(tx, hints, ids, now());
      const change = count === 0 ? null : eventsResent(owner, references, count);
      return { message: 'Sent again', data: { events: ids.length, count }, change };
    },
  );

  dashboard.write(
    'POST',
    'mode',
    '/events/:event/resend',
    { may: 'resend webhooks', answer: ResentEvent },
    async (tx, { owner, params }) => {
      const event = await findEvent(tx, owner, params.event);
      const { event_id } = event;
      const count = await resendEvents(tx, hints, [event_id], now());
      const change = count === 0 ? null : eventResent(event, count);
      return { message: 'Sent again', data: { event_id, count }, change };
    },
  );
}
