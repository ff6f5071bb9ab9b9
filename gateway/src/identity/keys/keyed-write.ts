import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { idempotencyKeyOf } from '../../kit/http/http.ts';
import { type Answer, once } from '../../kit/http/idempotency.ts';
import { apiKeyOf, idempotencyScope } from './guards.ts';
import type { ApiKey } from './keys.ts';

/**
 * Runs a write in one transaction, once for each Idempotency-Key; `work` returns the envelope. `work` also reads the body,
 * so that a key that was used for another request is refused before a fault of the body is.
 */
export async function keyedWrite(
  { db, now }: { db: Database; now: Clock },
  request: FastifyRequest,
  route: string,
  work: (tx: Tx, caller: ApiKey) => Promise<string>,
): Promise<Answer> {
  const caller = apiKeyOf(request);
  const key = idempotencyKeyOf(request, idempotencyScope(caller, route));
  return await transaction(db, (tx) => once(tx, key, now(), () => work(tx, caller)));
}
