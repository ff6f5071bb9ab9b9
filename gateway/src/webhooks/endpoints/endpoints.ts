import type { Change } from '../../identity/audit/audit-log.ts';
import type { IntegrationId } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { type Id, isUuid, newId } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { uriOf } from '../../kit/web-address.ts';
import type { Chaos } from '../answers/chaos-answers.ts';
import { webhookErrors } from '../errors.ts';
import type { SentType, WebhookFormat } from '../events/event-types.ts';
import { reportChanged } from '../events/outbox.ts';
import { type CustomHeader, sealHeaders } from './headers.ts';
import { newEndpointSecret, sealedSecrets } from './sign.ts';

export type EndpointId = Id<'webhook-endpoint'>;

export type Endpoint = {
  id: EndpointId;
  url: string;
  format: WebhookFormat;
  /** Whether a delivery that failed is tried again by itself. */
  retries: boolean;
  events: SentType[];
  status: 'active' | 'paused' | 'disabled';
  /** Why Florin disabled it, and since when every attempt has failed. */
  disabledReason: string | null;
  failingSince: Date | null;
  /** Since when it has been off; after it was activated, for as long as it has held deliveries. */
  missingSince: Date | null;
  /** It is active again, and deliveries that were held for it are still being queued. */
  catchingUp: boolean;
  description: string;
  /** The merchant's own headers, sealed (`openHeaders`); null: none. */
  headers: Buffer | null;
  /** When it first took a real payment's event. */
  verifiedAt: Date | null;
  /** Which faults are injected on the way to it; null: none. */
  chaos: Chaos | null;
  /** Until when a secret before this one goes on signing. */
  oldSecretUntil: Date | null;
  createdAt: Date;
};

/** An endpoint as the API shows it, without its secret. */
export function endpointView({ id, url, format, events, status, createdAt }: Endpoint) {
  // Old rows hold the address as it was given; new ones hold it as a URI.
  return { id, url: uriOf(url), format, events, status, created_at: createdAt.toISOString() };
}

const maxEndpoints = 16;

const hasHeld = `EXISTS (SELECT FROM deliveries d WHERE d.endpoint_id = w.id AND d.status = 'held')`;

/** SQL: the `missing_since` of endpoint `w` when it is paused or disabled now. */
export const missingSinceSql = `CASE WHEN ${hasHeld} THEN coalesce(w.missing_since, now()) ELSE now() END`;

const columns = `id, url, format, retries, events, status, disabled_reason AS "disabledReason", failing_since AS "failingSince",
  CASE WHEN w.status <> 'active' OR ${hasHeld} THEN w.missing_since END AS "missingSince",
  catching_up AS "catchingUp", description, headers, chaos, verified_at AS "verifiedAt",
  (SELECT max(o.valid_until) FROM webhook_old_secrets o
   WHERE o.endpoint_id = w.id AND o.valid_until > now()) AS "oldSecretUntil",
  created_at AS "createdAt"`;

/** The owner's endpoints, newest first; 16 at most. */
export async function listEndpoints(reader: Reader, owner: Owner): Promise<Endpoint[]> {
  const { rows } = await reader.query<Endpoint>(
    `SELECT ${columns} FROM webhook_endpoints w
     WHERE integration_id = $1 AND mode = $2 AND deleted_at IS NULL AND channel = 'webhook'
     ORDER BY created_at DESC, id DESC`,
    [owner.integrationId, owner.mode],
  );
  return rows;
}

/** One of the owner's endpoints; anything else is `Not found`. */
export async function findEndpoint(reader: Reader, owner: Owner, id: string | undefined): Promise<Endpoint> {
  if (!id || !isUuid(id)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<Endpoint>(
    `SELECT ${columns} FROM webhook_endpoints w
     WHERE id = $1 AND integration_id = $2 AND mode = $3 AND deleted_at IS NULL AND channel = 'webhook'`,
    [id, owner.integrationId, owner.mode],
  );
  return rows[0] ?? notFound();
}

/**
 * Makes an endpoint, active at once, with a secret of its own (`endpointSecret`). The address must have
 * passed `assertTarget`. Throws `endpoint_limit` when the owner has 16 already.
 */
export async function createEndpoint(
  tx: Tx,
  seal: Seal,
  input: Owner & {
    url: string;
    events: readonly SentType[];
    format?: WebhookFormat;
    /** That the shop chose; absent: a new one. */
    secret?: string;
    description?: string;
    headers?: readonly CustomHeader[];
    now: Date;
  },
): Promise<Endpoint> {
  const { integrationId, mode, url, events, description = '', headers = [], now } = input;
  const { format = 'florin', secret = newEndpointSecret() } = input;
  const id = newId<'webhook-endpoint'>(now);
  // Two calls at the same moment may make a seventeenth endpoint; that does no harm.
  const { rows } = await tx.query<Endpoint>(
    `INSERT INTO webhook_endpoints AS w (id, integration_id, mode, url, events, secret, created_at, updated_at,
       description, headers, format)
     SELECT $1, $2, $3, $4, $5, $6, $7, $7, $9, $10, $11
     WHERE (SELECT count(*) FROM webhook_endpoints
            WHERE integration_id = $2 AND mode = $3 AND deleted_at IS NULL AND channel = 'webhook') < $8
     RETURNING ${columns}`,
    [
      id,
      integrationId,
      mode,
      url,
      events,
      seal.seal(secret, sealedSecrets.at(id)),
      now,
      maxEndpoints,
      description,
      sealHeaders(seal, id, headers),
      format,
    ],
  );
  if (!rows[0]) throw refuse(webhookErrors.endpoint_limit, { max: `${maxEndpoints}` });
  return rows[0];
}

/** The endpoint's current secret (`whsec_` and base64, or what a shop chose), to show once or to verify with. */
export async function endpointSecret(reader: Reader, seal: Seal, id: string): Promise<string> {
  const { rows } = await reader.query<{ secret: Buffer }>(
    'SELECT secret FROM webhook_endpoints WHERE id = $1 AND deleted_at IS NULL',
    [id],
  );
  return rows[0] ? seal.open(rows[0].secret, sealedSecrets.at(id)) : notFound();
}

export type EndpointChange = {
  url?: string | undefined;
  events?: readonly SentType[] | undefined;
  status?: 'active' | 'paused' | undefined;
  description?: string;
  /** null removes them all. */
  headers?: Buffer | null;
};

/**
 * Changes what is given. A new status ends a disablement; a new address or status ends the count of failing days. Of an
 * endpoint that is active again, pending deliveries are sent at once; the caller queues the held ones (`queueHeld`).
 */
export async function updateEndpoint(
  tx: Tx,
  hints: Hints,
  id: EndpointId,
  { now, ...change }: EndpointChange & { now: Date },
): Promise<Endpoint> {
  const { rows } = await tx.query<Endpoint>(
    `UPDATE webhook_endpoints w
     SET url = coalesce($2, url), events = coalesce($3, events), status = coalesce($4, status), updated_at = $5,
       disabled_reason = CASE WHEN $4::text IS NULL THEN disabled_reason END,
       failing_since = CASE WHEN $2::text IS NULL AND $4::text IS NULL THEN failing_since END,
       catching_up = coalesce($4 = 'active', catching_up),
       missing_since = CASE WHEN status = 'active' AND $4 = 'paused' THEN ${missingSinceSql} ELSE missing_since END,
       description = coalesce($6, description), headers = CASE WHEN $7 THEN $8::bytea ELSE headers END
     WHERE id = $1 AND deleted_at IS NULL
     RETURNING ${columns}`,
    [
      id,
      change.url,
      change.events,
      change.status,
      now,
      change.description,
      change.headers !== undefined,
      change.headers ?? null,
    ],
  );
  const endpoint = rows[0] ?? notFound();
  reportChanged(tx, hints, id);
  return endpoint;
}

/** Moves an endpoint to another address and leaves everything else as it is; false when there is none. */
export async function setEndpointUrl(tx: Tx, id: string, url: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE webhook_endpoints SET url = $2, updated_at = $3 WHERE id = $1 AND deleted_at IS NULL',
    [id, url, now],
  );
  return rowCount === 1;
}

/** Sets which faults are injected on the way to a test endpoint; null: none. */
export async function setChaos(
  tx: Tx,
  hints: Hints,
  id: EndpointId,
  { chaos, now }: { chaos: Chaos | null; now: Date },
): Promise<void> {
  await tx.query('UPDATE webhook_endpoints SET chaos = $2, updated_at = $3 WHERE id = $1', [id, chaos, now]);
  reportChanged(tx, hints, id);
}

/** Removes an endpoint. A worker reads its pending deliveries (`worker/sql.ts`) and ends them as failed. */
export async function deleteEndpoint(tx: Tx, hints: Hints, id: EndpointId, now: Date): Promise<void> {
  await tx.query('UPDATE webhook_endpoints SET deleted_at = $2, updated_at = $2 WHERE id = $1', [id, now]);
  await tx.query('DELETE FROM webhook_replays WHERE endpoint_id = $1', [id]);
  await tx.query('DELETE FROM webhook_checks WHERE endpoint_id = $1', [id]);
  reportChanged(tx, hints, id);
}

/** Removes all leases. For a gateway that has the database to itself, where they belong to a process that has ended. */
export async function forgetWorkers(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM webhook_leases');
  await tx.query('DELETE FROM webhook_workers');
}

/**
 * Moves the retries of an integration's test mode, and the time since which its test endpoints fail, `seconds` earlier:
 * its test clock went on by that much.
 */
export async function shiftTestDeliveries(
  tx: Tx,
  integrationId: IntegrationId,
  seconds: number,
): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET next_attempt_at = next_attempt_at - $2 * interval '1 second'
     WHERE integration_id = $1 AND mode = 'test' AND status = 'pending'`,
    [integrationId, seconds],
  );
  await tx.query(
    `UPDATE webhook_endpoints SET failing_since = failing_since - $2 * interval '1 second'
     WHERE integration_id = $1 AND mode = 'test' AND failing_since IS NOT NULL`,
    [integrationId, seconds],
  );
}

function notFound(): never {
  throw refuse(kitErrors.not_found);
}

/** An endpoint as a subject of the audit log. */
export function endpointSubject(id: string): Change['subject'] {
  return { kind: 'webhook endpoint', id };
}
