import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiKeyOf, type Guards, idempotencyScope } from '../identity/guards.ts';
import type { ApiKey } from '../identity/keys.ts';
import type { Clock } from '../kit/clock.ts';
import { type Database, type Tx, transaction } from '../kit/db.ts';
import type { Hints } from '../kit/hints.ts';
import { envelope, idempotencyKeyOf, sendEnvelope } from '../kit/http.ts';
import { type Answer, once } from '../kit/idempotency.ts';
import type { Seal } from '../kit/seal.ts';
import { endpointSecret, type Owner } from './service.ts';

export type WebhookRouteDeps = {
  db: Database;
  hints: Hints;
  seal: Seal;
  guards: Guards;
  now: Clock;
  /** Every endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
};

/** Whom the request's key speaks for. */
export function ownerOf({ integration, mode }: ApiKey): Owner {
  return { integrationId: integration.id, mode };
}

/**
 * Runs a write in one transaction, once for each Idempotency-Key; `work` answers the envelope. It reads the
 * body too, because a key that was used with another request is told before the faults of this one.
 */
export async function keyedWrite(
  { db, now }: WebhookRouteDeps,
  request: FastifyRequest,
  route: string,
  work: (tx: Tx, owner: Owner) => Promise<string>,
): Promise<Answer> {
  const caller = apiKeyOf(request);
  const key = idempotencyKeyOf(request, idempotencyScope(caller, route));
  return await transaction(db, (tx) => once(tx, key, now(), () => work(tx, ownerOf(caller))));
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
  return sendEnvelope(reply, envelope(message, { ...data, secret }), replayed);
}
