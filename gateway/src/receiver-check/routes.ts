import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identityErrors } from '../identity/errors.ts';
import { apiKeyOf } from '../identity/keys/guards.ts';
import { type Owner, ownerOf } from '../identity/owner.ts';
import { refuse } from '../kit/errors.ts';
import { answers } from '../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../kit/http/http.ts';
import { checkStarted } from '../webhooks/api/changes.ts';
import { ownWrite, type WebhookRouteDeps } from '../webhooks/api/own-write.ts';
import { IdParams } from '../webhooks/api/schema.ts';
import { type Endpoint, findEndpoint } from '../webhooks/endpoints/endpoints.ts';
import { CheckItem, CheckPage, CheckParams } from './answers.ts';
import type { ReceiverChecks } from './checks.ts';
import { beginCheck, type CheckId, checkView, findCheck, listChecks } from './store.ts';

const tags = ['Test mode'];

/** Trying whether a test endpoint's receiver keeps the rules. */
export function receiverCheckRoutes(
  app: FastifyInstance,
  deps: WebhookRouteDeps & { checks: ReceiverChecks },
): void {
  const { db, guards, checks, now } = deps;
  const onRequest = guards.key('manage webhooks');

  app.post<{ Params: IdParams }>(
    '/test/webhook-endpoints/:id/checks',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Check whether a receiver keeps the rules',
        description:
          'Begins to send about fifty deliveries of payments that do not exist, and answers at once. One check of an endpoint at a time; it takes less than a minute.',
        params: IdParams,
        response: answers(CheckItem),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      assertTest(request);
      let begun: { check: CheckId; endpoint: Endpoint; owner: Owner } | undefined;
      const answer = await ownWrite(deps, request, `check ${id}`, async (tx, owner) => {
        const endpoint = await findEndpoint(tx, owner, id);
        const check = await beginCheck(tx, endpoint, now());
        begun = { check: check.id, endpoint, owner };
        return {
          message: 'Receiver check started',
          data: checkView(check),
          change: checkStarted(endpoint, check.id),
        };
      });
      if (begun) checks.start(begun.check, begun.endpoint, begun.owner);
      return sendAnswer(reply, answer);
    },
  );

  app.get<{ Params: IdParams }>(
    '/test/webhook-endpoints/:id/checks',
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
      assertTest(request);
      const endpoint = await findEndpoint(db, ownerOf(apiKeyOf(request)), request.params.id);
      const page = { items: (await listChecks(db, endpoint)).map(checkView), next_cursor: null };
      return sendEnvelope(reply, envelope('Receiver checks', page));
    },
  );

  app.get<{ Params: CheckParams }>(
    '/test/webhook-endpoints/:id/checks/:check',
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
      assertTest(request);
      const { id, check } = request.params;
      const endpoint = await findEndpoint(db, ownerOf(apiKeyOf(request)), id);
      return sendEnvelope(reply, envelope('Receiver check', checkView(await findCheck(db, endpoint, check))));
    },
  );
}

function assertTest(request: FastifyRequest): void {
  if (apiKeyOf(request).mode !== 'test') throw refuse(identityErrors.test_mode_only);
}
