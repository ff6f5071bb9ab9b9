import type { Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Seal, SealedColumn } from '../../kit/seal.ts';
import { webhookErrors } from '../errors.ts';
import { reportChanged } from '../events/outbox.ts';
import type { EndpointId } from './endpoints.ts';
import { newEndpointSecret, sealedOldSecrets, sealedSecrets } from './sign.ts';

/** How many old secrets may sign at a time: each makes the header of every webhook longer. */
const maxOld = 4;

/**
 * In a query of `webhook_endpoints w`: every secret that signs at this moment, sealed, the newest first (contract.md#webhooks).
 * Before each stand the 16 bytes of its row's id, as `openSigning` reads them.
 */
export const signingSecretsSql = `array_prepend(uuid_send(w.id) || w.secret, ARRAY(
  SELECT uuid_send(o.id) || o.secret FROM webhook_old_secrets o
  WHERE o.endpoint_id = w.id AND o.valid_until > now() ORDER BY o.valid_until DESC))`;

/** In the same query: the secret before the newest one where chaos may sign with it, whether or not it still signs. */
export const formerSecretSql = `CASE WHEN w.chaos IS NOT NULL THEN (
  SELECT uuid_send(o.id) || o.secret FROM webhook_old_secrets o
  WHERE o.endpoint_id = w.id ORDER BY o.valid_until DESC LIMIT 1) END`;

/** Opens what `signingSecretsSql` gives. */
export function openSigning(seal: Seal, secrets: readonly Buffer[]): string[] {
  return secrets.map((kept, index) => openNamed(seal, index === 0 ? sealedSecrets : sealedOldSecrets, kept));
}

/** Opens what `formerSecretSql` gives. */
export function openFormer(seal: Seal, kept: Buffer): string {
  return openNamed(seal, sealedOldSecrets, kept);
}

const idBytes = 16;

function openNamed(seal: Seal, column: SealedColumn, kept: Buffer): string {
  return seal.open(kept.subarray(idBytes), column.at(uuidOf(kept)));
}

function uuidOf(kept: Buffer): string {
  const digits = kept.toString('hex', 0, idBytes);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Gives an endpoint that exists a new secret. The last one goes on signing beside it for `overlapSeconds`, and each
 * older one as long as it would have, but not longer than that. So a receiver that has any of them can check every
 * webhook. 0 ends them all. Throws `too_many_secrets`.
 */
export async function rollSecret(
  tx: Tx,
  { seal, hints }: { seal: Seal; hints: Hints },
  id: EndpointId,
  { overlapSeconds, now }: { overlapSeconds: number; now: Date },
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
  // Kept even if it ends at once: chaos may sign with it, to show whether receivers still accept it.
  const former = seal.open(oneRow(locked, 'lock an endpoint').secret, sealedSecrets.at(id));
  await keepOld(tx, seal, { endpoint: id, secret: former, overlapSeconds });
  await tx.query('UPDATE webhook_endpoints SET secret = $2, updated_at = $3 WHERE id = $1', [
    id,
    seal.seal(newEndpointSecret(), sealedSecrets.at(id)),
    now,
  ]);
  reportChanged(tx, hints, id);
}

type Former = { endpoint: EndpointId; secret: string; overlapSeconds: number };

async function keepOld(tx: Tx, seal: Seal, { endpoint, secret, overlapSeconds }: Former): Promise<void> {
  const id = newId();
  const sealed = seal.seal(secret, sealedOldSecrets.at(id));
  const { rowCount } = await tx.query(
    `INSERT INTO webhook_old_secrets (endpoint_id, id, secret, valid_until)
     SELECT $1, $5, $2, now() + $3 * interval '1 second'
     WHERE (SELECT count(*) FROM webhook_old_secrets WHERE endpoint_id = $1) < $4`,
    [endpoint, sealed, overlapSeconds, maxOld, id],
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
