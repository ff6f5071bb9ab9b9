import type { FastifyInstance } from 'fastify';
import { apiKeyOf } from '../../identity/keys/guards.ts';
import { ownerOf } from '../../identity/owner.ts';
import { answers, orNull } from '../../kit/http/answers.ts';
import { envelope, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { findEndpoint } from '../endpoints/endpoints.ts';
import { countReplay, replayOf, startReplay } from '../replay/replay.ts';
import { ReplayData } from './answers.ts';
import { webhooksReplayed } from './changes.ts';
import { ownWrite, type WebhookRouteDeps } from './own-write.ts';
import { IdParams, ReplayBody, readReplayBody } from './schema.ts';

const tags = ['Webhook endpoints'];

/** Sending once more what failed, and for the first time what an endpoint missed. */
export function replayRoutes(app: FastifyInstance, deps: WebhookRouteDeps): void {
  const { db, guards, hints } = deps;
  const onRequest = guards.key('manage webhooks');

  app.post<{ Params: IdParams }>(
    '/webhook-endpoints/:id/replay',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Send what failed once more, and what was missed',
        description:
          'Queues failed deliveries, and those that are held while the endpoint is paused, in their order. Nothing is queued twice. A long replay goes on after the answer: ask for its progress.',
        params: IdParams,
        body: ReplayBody,
        response: answers(ReplayData),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await ownWrite(deps, request, `replay ${id}`, async (tx, owner) => {
        const found = await findEndpoint(tx, owner, id);
        const { since, only } = readReplayBody(request.body);
        const wish = { since: since === undefined ? null : new Date(since), only };
        const counted = await countReplay(tx, found.id, wish);
        const replay = await startReplay(tx, hints, found, { ...wish, counted });
        const change = replay.count === 0 ? null : webhooksReplayed(found, replay);
        return { message: 'Deliveries re-queued', data: replay, change };
      });
      return sendAnswer(reply, answer);
    },
  );

  app.get<{ Params: IdParams }>(
    '/webhook-endpoints/:id/replay',
    {
      onRequest,
      schema: {
        tags,
        summary: "How far an endpoint's last replay came",
        description: 'data is null when there was none.',
        params: IdParams,
        response: answers(orNull(ReplayData)),
      },
    },
    async (request, reply) => {
      const { id } = await findEndpoint(db, ownerOf(apiKeyOf(request)), request.params.id);
      return sendEnvelope(reply, envelope('Replay', await replayOf(db, id)));
    },
  );
}
