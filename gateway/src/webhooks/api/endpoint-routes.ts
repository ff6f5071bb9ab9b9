import { Nothing } from '../../kit/http/answers.ts';
import { EndpointItem, EndpointPage } from '../answers/answers.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointView,
  findEndpoint,
  listEndpoints,
} from '../endpoints/endpoints.ts';
import { assertOfFormat } from '../endpoints/events-of-format.ts';
import { headersAt } from '../endpoints/headers.ts';
import { assertTarget, reachOf } from '../endpoints/reach.ts';
import { endOverlap, rollSecret } from '../endpoints/secrets.ts';
import { defaultEventTypes } from '../events/event-types.ts';
import { changeEndpoint } from '../replay/replay.ts';
import { endpointChanged, endpointMade, endpointRemoved, overlapEnded, secretRolled } from './changes.ts';
import { endpointTerms, type KeyCalls, type WebhookRouteDeps } from './key-calls.ts';
import {
  CreateBody,
  defaultOverlapSeconds,
  RollBody,
  readCreateBody,
  readRollBody,
  readUpdateBody,
  UpdateBody,
} from './schema.ts';

/** Making, reading, changing and removing webhook endpoints by an API key. */
export function endpointRoutes(calls: KeyCalls, deps: WebhookRouteDeps): void {
  readingRoutes(calls, deps);
  writingRoutes(calls, deps);
}

function readingRoutes(calls: KeyCalls, { db }: WebhookRouteDeps): void {
  calls.get(
    '/webhook-endpoints',
    {
      ...endpointTerms,
      answer: EndpointPage,
      operationId: 'listWebhookEndpoints',
      sdk: 'webhookEndpoints.list()',
      summary: 'List webhook endpoints',
      description: "The endpoints of the key's integration and mode, at most 16.",
    },
    async ({ owner }) => {
      const items = (await listEndpoints(db, owner)).map(endpointView);
      return { message: 'Webhook endpoints', data: { items, next_cursor: null } };
    },
  );

  calls.get(
    '/webhook-endpoints/:id',
    {
      ...endpointTerms,
      answer: EndpointItem,
      operationId: 'getWebhookEndpoint',
      sdk: 'webhookEndpoints.get({id})',
      summary: 'One webhook endpoint',
      description: 'Its address, its events, its status, and since when it fails.',
    },
    async ({ owner, id }) => ({
      message: 'Webhook endpoint',
      data: endpointView(await findEndpoint(db, owner, id)),
    }),
  );
}

function writingRoutes(calls: KeyCalls, deps: WebhookRouteDeps): void {
  const { hints, seal, now } = deps;

  calls.writeSecret(
    '/webhook-endpoints',
    {
      ...endpointTerms,
      scope: 'create webhook endpoint',
      body: CreateBody,
      operationId: 'createWebhookEndpoint',
      sdk: 'webhookEndpoints.create({body}, {key})',
      summary: 'Make a webhook endpoint',
      description: 'Active at once. Its secret is shown in this answer alone.',
    },
    async (tx, { owner, integration, body }) => {
      const { url, events = defaultEventTypes } = readCreateBody(body);
      assertTarget(url, owner.mode, reachOf(deps, { integration, mode: owner.mode }));
      const endpoint = await createEndpoint(tx, seal, { ...owner, url, events, now: now() });
      const change = endpointMade(endpoint, owner);
      return { message: 'Webhook endpoint created', data: endpointView(endpoint), change };
    },
  );

  calls.write(
    'PATCH',
    '/webhook-endpoints/:id',
    {
      ...endpointTerms,
      scope: 'change',
      body: UpdateBody,
      answer: EndpointItem,
      operationId: 'updateWebhookEndpoint',
      sdk: 'webhookEndpoints.update({id}, {body}, {key})',
      summary: 'Change, pause or reactivate a webhook endpoint',
      description: 'Activating it sends what was held for it while it was paused or disabled.',
    },
    async (tx, { owner, integration, id, body }) => {
      const found = await findEndpoint(tx, owner, id);
      const wanted = readUpdateBody(body);
      if (wanted.events) assertOfFormat(found, wanted.events);
      if (wanted.url) assertTarget(wanted.url, owner.mode, reachOf(deps, { integration, mode: owner.mode }));
      const headers = wanted.url ? headersAt(found.url, wanted.url, found.headers, null) : found.headers;
      const endpoint = await changeEndpoint(tx, hints, found.id, { ...wanted, headers, now: now() });
      const change = endpointChanged(found, endpoint);
      return { message: 'Webhook endpoint updated', data: endpointView(endpoint), change };
    },
  );

  calls.write(
    'DELETE',
    '/webhook-endpoints/:id',
    {
      ...endpointTerms,
      scope: 'delete',
      answer: Nothing,
      operationId: 'deleteWebhookEndpoint',
      sdk: 'webhookEndpoints.delete({id}, {key})',
      summary: 'Remove a webhook endpoint',
      description: 'Nothing more is sent to it. Its deliveries stay in the log.',
    },
    async (tx, { owner, id }) => {
      const found = await findEndpoint(tx, owner, id);
      await deleteEndpoint(tx, hints, found.id, now());
      return { message: 'Webhook endpoint deleted', data: null, change: endpointRemoved(found) };
    },
  );
}

/** The secrets of webhook endpoints by an API key. */
export function endpointSecretRoutes(calls: KeyCalls, deps: WebhookRouteDeps): void {
  const { hints, now } = deps;

  calls.writeSecret(
    '/webhook-endpoints/:id/roll-secret',
    {
      ...endpointTerms,
      scope: 'roll',
      body: RollBody,
      operationId: 'rollWebhookSecret',
      sdk: 'webhookEndpoints.rollSecret({id}, {body}, {key})',
      summary: 'Give a webhook endpoint a new secret',
      description:
        'Every secret that signed before goes on signing beside it for `overlap_seconds` at most; 0 ends them all.',
    },
    async (tx, { owner, id, body }) => {
      const endpoint = await findEndpoint(tx, owner, id);
      const { overlap_seconds = defaultOverlapSeconds } = readRollBody(body);
      await rollSecret(tx, deps, endpoint.id, { overlapSeconds: overlap_seconds, now: now() });
      const change = secretRolled(endpoint, overlap_seconds);
      return { message: 'Webhook secret rolled', data: endpointView(endpoint), change };
    },
  );

  calls.write(
    'POST',
    '/webhook-endpoints/:id/end-overlap',
    {
      ...endpointTerms,
      scope: 'end overlap',
      answer: EndpointItem,
      operationId: 'endSecretOverlap',
      sdk: 'webhookEndpoints.endOverlap({id}, {key})',
      summary: 'Let the newest secret of a webhook endpoint sign alone',
      description: 'For when every receiver has the new secret, or an old one has become known to others.',
    },
    async (tx, { owner, id }) => {
      const endpoint = await findEndpoint(tx, owner, id);
      const ended = await endOverlap(tx, hints, endpoint.id, now());
      const change = overlapEnded(endpoint, ended);
      return { message: 'The old secret signs no longer', data: endpointView(endpoint), change };
    },
  );
}
