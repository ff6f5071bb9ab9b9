import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointView,
  findEndpoint,
  listEndpoints,
} from '../endpoints/endpoints.ts';
import { assertTarget, reachOf } from '../endpoints/reach.ts';
import { defaultEventTypes } from '../events/event-types.ts';
import { changeEndpoint } from '../replay/replay.ts';
import { EndpointItem, EndpointPage, EndpointWithSecret } from './answers.ts';
import { endpointChanged, endpointMade, endpointRemoved } from './changes.ts';
import { ownWrite, sendWithSecret, type WebhookRouteDeps } from './own-write.ts';
import { CreateBody, IdParams, readCreateBody, readUpdateBody, UpdateBody } from './schema.ts';

const tags = ['Webhook endpoints'];

/** Making, reading, changing and removing webhook endpoints. */
export function endpointRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, guards, seal, now } = deps;
  const onRequest = guards.key('manage webhooks');

  app.get(
    '/webhook-endpoints',
    { onRequest, schema: { tags, summary: 'List webhook endpoints', response: answers(EndpointPage) } },
    async (request, reply) => {
      const endpoints = await listEndpoints(db, ownerOf(apiKeyOf(request)));
      const page = { items: endpoints.map(endpointView), next_cursor: null };
      return sendEnvelope(reply, envelope('Webhook endpoints', page));
    },
  );

  app.post(
    '/webhook-endpoints',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Make a webhook endpoint',
        description: 'Active at once. Its secret is shown in this answer alone.',
        body: CreateBody,
        response: answers(EndpointWithSecret),
      },
    },
    async (request, reply) => {
      const { integration, mode } = apiKeyOf(request);
      const answer = await ownWrite(deps, request, 'create webhook endpoint', async (tx, owner) => {
        const { url, events = defaultEventTypes } = readCreateBody(request.body);
        assertTarget(url, mode, reachOf(deps.allowPrivate, integration));
        const endpoint = await createEndpoint(tx, seal, { ...owner, url, events, now: now() });
        return {
          message: 'Webhook endpoint created',
          data: endpointView(endpoint),
          change: endpointMade(endpoint, owner),
        };
      });
      return sendWithSecret(deps, reply, answer);
    },
  );

  app.get<{ Params: IdParams }>(
    '/webhook-endpoints/:id',
    {
      onRequest,
      schema: { tags, summary: 'One webhook endpoint', params: IdParams, response: answers(EndpointItem) },
    },
    async (request, reply) => {
      const endpoint = await findEndpoint(db, ownerOf(apiKeyOf(request)), request.params.id);
      return sendEnvelope(reply, envelope('Webhook endpoint', endpointView(endpoint)));
    },
  );
  changeRoutes(app, deps);
}

function changeRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { guards, hints, now } = deps;
  const onRequest = guards.key('manage webhooks');

  app.patch<{ Params: IdParams }>(
    '/webhook-endpoints/:id',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Change, pause or reactivate a webhook endpoint',
        description: 'Activating it sends what was held for it while it was paused or disabled.',
        params: IdParams,
        body: UpdateBody,
        response: answers(EndpointItem),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { integration, mode } = apiKeyOf(request);
      const answer = await ownWrite(deps, request, `change ${id}`, async (tx, owner) => {
        const found = await findEndpoint(tx, owner, id);
        const change = readUpdateBody(request.body);
        if (change.url) assertTarget(change.url, mode, reachOf(deps.allowPrivate, integration));
        const endpoint = await changeEndpoint(tx, hints, found.id, change, now());
        return {
          message: 'Webhook endpoint updated',
          data: endpointView(endpoint),
          change: endpointChanged(found, endpoint),
        };
      });
      return sendAnswer(reply, answer);
    },
  );

  app.delete<{ Params: IdParams }>(
    '/webhook-endpoints/:id',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Remove a webhook endpoint',
        params: IdParams,
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `delete ${id}`, async (tx, owner) => {
        const found = await findEndpoint(tx, owner, id);
        await deleteEndpoint(tx, hints, found.id, now());
        return { message: 'Webhook endpoint deleted', data: null, change: endpointRemoved(found) };
      });
      return sendAnswer(reply, answer);
    },
  );
}
