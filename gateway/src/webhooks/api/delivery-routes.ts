import type { FastifyInstance } from 'fastify';
import { identityErrors } from '../../identity/errors.ts';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { refuse } from '../../kit/errors.ts';
import { answers } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { listDeliveries } from '../deliveries/deliveries.ts';
import { findEndpoint } from '../endpoints/endpoints.ts';
import { assertTakesTests, sendTestEvent } from '../endpoints/test-event.ts';
import { DeliveryPage, TestEventData } from './answers.ts';
import { testEventSent } from './changes.ts';
import { ownWrite, type WebhookRouteDeps } from './own-write.ts';
import { defaultLimit, IdParams, PageQuery, readPageQuery, readTestBody, TestBody } from './schema.ts';

const tags = ['Webhook endpoints'];

/** What an endpoint was sent, and trying it out. */
export function deliveryRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, guards, hints, now } = deps;
  const onRequest = guards.key('manage webhooks');

  app.get<{ Params: IdParams }>(
    '/webhook-endpoints/:id/deliveries',
    {
      onRequest,
      schema: {
        tags,
        summary: "List an endpoint's deliveries and their attempts, newest first",
        params: IdParams,
        querystring: PageQuery,
        response: answers(DeliveryPage),
      },
    },
    async (request, reply) => {
      const { id } = await findEndpoint(db, ownerOf(apiKeyOf(request)), request.params.id);
      const { limit = defaultLimit, ...page } = readPageQuery(request.query);
      return sendEnvelope(reply, envelope('Deliveries', await listDeliveries(db, id, { ...page, limit })));
    },
  );

  app.post<{ Params: IdParams }>(
    '/webhook-endpoints/:id/test',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Send a made-up event to an endpoint',
        description: 'In test mode only, and to an active endpoint; its payment_reference begins TEST_.',
        params: IdParams,
        body: TestBody,
        response: answers(TestEventData),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (apiKeyOf(request).mode !== 'test') throw refuse(identityErrors.test_mode_only);
      const answer = await ownWrite(deps, request, `test ${id}`, async (tx, owner) => {
        const endpoint = await findEndpoint(tx, owner, id);
        assertTakesTests(endpoint);
        const { event_type = 'payment_completed' } = readTestBody(request.body);
        const to = { ...owner, endpointId: endpoint.id };
        const event_id = await sendTestEvent(tx, hints, to, event_type, now());
        return {
          message: 'Test event sent',
          data: { event_id },
          change: testEventSent(endpoint, event_type, event_id),
        };
      });
      return sendAnswer(reply, answer);
    },
  );
}
