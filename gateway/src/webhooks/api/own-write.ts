import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordChange } from '../../identity/audit/audit-log.ts';
import type { Written } from '../../identity/console/console.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { keyActor } from '../../identity/keys/key-actor.ts';
import { keyedWrite } from '../../identity/keys/keyed-write.ts';
import { type Owner, ownerOf } from '../../identity/owner.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { envelope, sendAnswer } from '../../kit/http/http.ts';
import type { Answer } from '../../kit/http/idempotency.ts';
import type { Seal } from '../../kit/seal.ts';
import { endpointSecret } from '../endpoints/endpoints.ts';

export type WebhookRouteDeps = {
  db: Database;
  hints: Hints;
  seal: Seal;
  guards: Guards;
  now: Clock;
  /** Every endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
};

/** What the dashboard's calls need; the console checks the session for all of them. */
export type WebhookConsoleDeps = Omit<WebhookRouteDeps, 'guards'>;

/** A keyed write of the caller's own webhooks, with its entry in the audit log. */
export async function ownWrite(
  deps: WebhookRouteDeps,
  request: FastifyRequest,
  route: string,
  work: (tx: Tx, owner: Owner) => Promise<Written>,
): Promise<Answer> {
  return await keyedWrite(deps, request, route, async (tx, caller) => {
    const { message, data, change } = await work(tx, ownerOf(caller));
    if (change) {
      const actor = await keyActor(tx, request);
      await recordChange(tx, actor, { integrationId: caller.integration.id, ...change }, deps.now());
    }
    return envelope(message, data);
  });
}

/**
 * Sends an endpoint with its secret. The answer that is kept for a replay has none: the secret stays sealed
 * in its own row and joins the answer here.
 */
export async function sendWithSecret(
  { db, seal }: WebhookRouteDeps,
  reply: FastifyReply,
  { body, replayed }: Answer,
): Promise<FastifyReply> {
  const { message, data } = JSON.parse(body) as { message: string; data: { id: string } };
  const secret = await endpointSecret(db, seal, data.id);
  return sendAnswer(reply, { body: envelope(message, { ...data, secret }), replayed });
}
