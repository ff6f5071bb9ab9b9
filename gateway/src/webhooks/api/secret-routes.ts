import type { FastifyInstance } from 'fastify';
import { answers } from '../../kit/http/answers.ts';
import { sendAnswer } from '../../kit/http/http.ts';
import { endpointView, findEndpoint } from '../endpoints/endpoints.ts';
import { endOverlap, rollSecret } from '../endpoints/secrets.ts';
import { EndpointItem, EndpointWithSecret } from './answers.ts';
import { overlapEnded, secretRolled } from './changes.ts';
import { ownWrite, sendWithSecret, type WebhookRouteDeps } from './own-write.ts';
import { defaultOverlapSeconds, IdParams, RollBody, readRollBody } from './schema.ts';

const tags = ['Webhook endpoints'];

/** Replacing an endpoint's secret by a new one, without losing a webhook in between. */
export function secretRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { guards, now } = deps;
  const onRequest = guards.key('manage webhooks');

  app.post<{ Params: IdParams }>(
    '/webhook-endpoints/:id/roll-secret',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Give a webhook endpoint a new secret',
        description:
          'Every secret that signed before goes on signing beside it for `overlap_seconds` at most; 0 ends them all.',
        params: IdParams,
        body: RollBody,
        response: answers(EndpointWithSecret),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `roll ${id}`, async (tx, owner) => {
        const endpoint = await findEndpoint(tx, owner, id);
        const { overlap_seconds = defaultOverlapSeconds } = readRollBody(request.body);
        await rollSecret(tx, deps, endpoint.id, overlap_seconds, now());
        return {
          message: 'Webhook secret rolled',
          data: endpointView(endpoint),
          change: secretRolled(endpoint, overlap_seconds),
        };
      });
      return sendWithSecret(deps, reply, answer);
    },
  );

  app.post<{ Params: IdParams }>(
    '/webhook-endpoints/:id/end-overlap',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Let the newest secret of a webhook endpoint sign alone',
        description: 'For when every receiver has the new secret, or an old one has become known to others.',
        params: IdParams,
        response: answers(EndpointItem),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `end overlap ${id}`, async (tx, owner) => {
        const endpoint = await findEndpoint(tx, owner, id);
        const ended = await endOverlap(tx, deps.hints, endpoint.id, now());
        return {
          message: 'The old secret signs no longer',
          data: endpointView(endpoint),
          change: overlapEnded(endpoint, ended),
        };
      });
      return sendAnswer(reply, answer);
    },
  );
}
