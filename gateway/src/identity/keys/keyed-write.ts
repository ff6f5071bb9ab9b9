import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { dryRun } from '../../kit/db/dry-run.ts';
import { envelope, idempotencyKeyOf } from '../../kit/http/http.ts';
import { type Answer, once } from '../../kit/http/idempotency.ts';
import { apiKeyOf, idempotencyScope } from './guards.ts';
import type { ApiKey } from './keys.ts';

type WriteDeps = { db: Database; now: Clock };

/**
 * Runs a write in one transaction, once for each Idempotency-Key; `work` returns the envelope. `work` also reads the body,
 * so that a key that was used for another request is refused before a fault of the body is.
 */
export async function keyedWrite(
  { db, now }: WriteDeps,
  request: FastifyRequest,
  route: string,
  work: (tx: Tx, caller: ApiKey) => Promise<string>,
): Promise<Answer> {
  const caller = apiKeyOf(request);
  const key = idempotencyKeyOf(request, idempotencyScope(caller, route));
  return await transaction(db, (tx) => once(tx, key, now(), () => work(tx, caller)));
}

/** A write's scope of Idempotency-Keys, and the messages of one that was done and of one that was only judged. */
type WriteNames = { route: string; done: string; judged: string };

/**
 * As `keyedWrite`; `work` returns the data. With `dry_run: true` in the body the answer is that of the write, or its refusal,
 * and all of it is undone (contract.md#money-out). A dry run has no effect to repeat, and uses no Idempotency-Key.
 */
export async function keyedOrDryRun(
  deps: WriteDeps,
  request: FastifyRequest,
  { route, done, judged }: WriteNames,
  work: (tx: Tx, caller: ApiKey) => Promise<unknown>,
): Promise<Answer> {
  if (isDryRun(request.body)) {
    const data = await dryRun(deps.db, (tx) => work(tx, apiKeyOf(request)));
    return { body: envelope(judged, data), replayed: false };
  }
  return await keyedWrite(deps, request, route, async (tx, caller) => envelope(done, await work(tx, caller)));
}

function isDryRun(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'dry_run' in body && body.dry_run === true;
}
