import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import type { Seal } from '../../kit/seal.ts';
import { webhookErrors } from '../errors.ts';
import { reportChanged } from '../events/outbox.ts';
import type { EndpointId } from './endpoints.ts';
import { newEndpointSecret } from './sign.ts';

/** Old secrets that may sign at a time: each makes every webhook's header longer. */
const maxOld = 4;

/**
 * In a query of `webhook_endpoints w`: every secret that signs at this moment, sealed, the newest first (contract.md 4).
 */
export const signingSecretsSql = `array_prepend(w.secret, ARRAY(
  SELECT o.secret FROM webhook_old_secrets o
  WHERE o.endpoint_id = w.id AND o.valid_until > now() ORDER BY o.valid_until DESC))`;

/** In the same query: the secret before the newest one where chaos may sign with it, whether or not it still signs. */
export const formerSecretSql = `CASE WHEN w.chaos IS NOT NULL THEN (
  SELECT o.secret FROM webhook_old_secrets o
  WHERE o.endpoint_id = w.id ORDER BY o.valid_until DESC LIMIT 1) END`;

/**
 * Gives an endpoint that exists a new secret. What signed before goes on signing beside it: the last one for
 * `overlapSeconds`, those before it no longer than that, nor longer than they would have. So a receiver that has
 * any of them loses nothing, and 0 ends them all. Throws `too_many_secrets`.
 */
export async function rollSecret(
  tx: Tx,
  { seal, hints }: { seal: Seal; hints: Hints },
  id: EndpointId,
  overlapSeconds: number,
  now: Date,
): Promise<void> {
  const locked = await tx.query<{ secret: Buffer }>(
    'SELECT secret FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  await tx.query(
    `UPDATE webhook_old_secrets SET valid_until = least(valid_until, now() + $2 * interval '1 second')
     WHERE endpoint_id = $1`,
    [id, overlapSeconds],
  );
  await tx.query('DELETE FROM webhook_old_secrets WHERE endpoint_id = $1 AND valid_until <= now()', [id]);
  // Also one that ends at once: chaos may sign with it, to see that receivers no longer take it.
  await keepOld(tx, id, oneRow(locked, 'lock an endpoint').secret, overlapSeconds);
  await tx.query('UPDATE webhook_endpoints SET secret = $2, updated_at = $3 WHERE id = $1', [
    id,
    seal.seal(newEndpointSecret()),
    now,
  ]);
  reportChanged(tx, hints, id);
}

async function keepOld(tx: Tx, id: EndpointId, secret: Buffer, overlapSeconds: number): Promise<void> {
  const { rowCount } = await tx.query(
    `INSERT INTO webhook_old_secrets (endpoint_id, secret, valid_until)
     SELECT $1, $2, now() + $3 * interval '1 second'
     WHERE (SELECT count(*) FROM webhook_old_secrets WHERE endpoint_id = $1) < $4`,
    [id, secret, overlapSeconds, maxOld],
  );
  if (rowCount === 0) throw refuse(webhookErrors.too_many_secrets);
}

/** Lets the newest secret of an endpoint sign alone from now on; returns how many others did. */
export async function endOverlap(tx: Tx, hints: Hints, id: EndpointId, now: Date): Promise<number> {
  await tx.query('UPDATE webhook_endpoints SET updated_at = $2 WHERE id = $1', [id, now]);
  const { rows } = await tx.query<{ was_valid: boolean }>(
    'DELETE FROM webhook_old_secrets WHERE endpoint_id = $1 RETURNING valid_until > now() AS was_valid',
    [id],
  );
  reportChanged(tx, hints, id);
  return rows.filter((row) => row.was_valid).length;
}
