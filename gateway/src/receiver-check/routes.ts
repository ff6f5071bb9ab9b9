import type { FastifyInstance } from 'fastify';
import { apiKeyOf } from '../identity/keys/guards.ts';
import { ownerOf } from '../identity/owner.ts';
import { answers } from '../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../kit/http/http.ts';
import { ownWrite, type WebhookRouteDeps } from '../webhooks/api/own-write.ts';
import { IdParams } from '../webhooks/api/schema.ts';
import { CheckItem, CheckPage, CheckParams } from './answers.ts';
import type { ReceiverChecks } from './checks.ts';

const tags = ['Test mode'];
const path = '/test/webhook-endpoints/:id/checks';

/** Whether the receiver behind a test endpoint keeps the rules. */
export function receiverCheckRoutes(
  app: FastifyInstance,
  deps: WebhookRouteDeps & { checks: ReceiverChecks },
): void {
  const { guards, checks } = deps;
  const onRequest = guards.key('manage webhooks');

  app.post<{ Params: IdParams }>(
    path,
    {
      onRequest,
      schema: {
        tags,
        summary: 'Check whether a receiver keeps the rules',
        description:
          'Starts to send about fifty deliveries of payments that do not exist, and answers at once. One check of an endpoint runs at a time; it takes less than a minute.',
        params: IdParams,
        response: answers(CheckItem),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `check ${id}`, (tx, owner) => checks.begin(tx, owner, id));
      return sendAnswer(reply, answer);
    },
  );

  app.get<{ Params: IdParams }>(
    path,
    {
      onRequest,
      schema: {
        tags,
        summary: 'The last ten checks of a receiver, newest first',
        params: IdParams,
        response: answers(CheckPage),
      },
    },
    async (request, reply) => {
      const page = await checks.list(ownerOf(apiKeyOf(request)), request.params.id);
      return sendEnvelope(reply, envelope('Receiver checks', page));
    },
  );

  app.get<{ Params: CheckParams }>(
    `${path}/:check`,
    {
      onRequest,
      schema: {
        tags,
        summary: "A receiver check's progress and report",
        params: CheckParams,
        response: answers(CheckItem),
      },
    },
    async (request, reply) => {
      const { id, check } = request.params;
      const found = await checks.find(ownerOf(apiKeyOf(request)), id, check);
      return sendEnvelope(reply, envelope('Receiver check', found));
    },
  );
}
