import type { FastifyInstance } from 'fastify';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { findEvent, listEvents, resendEvent } from '../events/events.ts';
import { EventItem, EventPage, ResentData } from './answers.ts';
import { eventResent } from './changes.ts';
import { ownWrite, type WebhookRouteDeps } from './own-write.ts';
import { defaultLimit, EventsQuery, IdParams, readEventsQuery } from './schema.ts';

const tags = ['Events'];

/** Reading events and sending them once more. */
export function eventRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, guards, hints, now } = deps;

  app.get(
    '/events',
    {
      onRequest: guards.key('read events'),
      schema: {
        tags,
        summary: 'List events, newest first',
        querystring: EventsQuery,
        response: answers(EventPage),
      },
    },
    async (request, reply) => {
      const { limit = defaultLimit, ...filter } = readEventsQuery(request.query);
      const page = await listEvents(db, ownerOf(apiKeyOf(request)), { ...filter, limit });
      return sendEnvelope(reply, envelope('Events', page));
    },
  );

  app.get<{ Params: IdParams }>(
    '/events/:id',
    {
      onRequest: guards.key('read events'),
      schema: { tags, summary: 'One event', params: IdParams, response: answers(EventItem) },
    },
    async (request, reply) =>
      sendEnvelope(
        reply,
        envelope('Event', await findEvent(db, ownerOf(apiKeyOf(request)), request.params.id)),
      ),
  );

  app.post<{ Params: IdParams }>(
    '/events/:id/resend',
    {
      onRequest: guards.key('resend events'),
      schema: {
        tags,
        summary: 'Send an event once more, the same bytes',
        params: IdParams,
        response: answers(ResentData),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `resend ${id}`, async (tx, owner) => {
        const event = await findEvent(tx, owner, id);
        const { event_id } = event;
        const count = await resendEvent(tx, hints, event_id, now());
        return { message: 'Event re-sent', data: { event_id, count }, change: eventResent(event, count) };
      });
      return sendAnswer(reply, answer);
    },
  );
}
