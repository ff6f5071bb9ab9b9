import type { IntegrationId, Mode } from '../identity/service.ts';
import type { Reader } from '../kit/db.ts';
import type { Chaos } from './chaos.ts';
import { formerSecretSql, signingSecretsSql } from './secrets.ts';

/** How long a claim holds; several times the longest exchange, so that short queues form in a worker. */
export const leaseSeconds = 30;

/** A delivery that this worker may send until its lease ends. */
export type ClaimedDelivery = {
  id: string;
  endpoint_id: string;
  /** Fencing number: an outcome is recorded only while the row still carries it. */
  lease: number;
  /** Tries that were recorded before this one. */
  attempts: number;
  event_id: string;
  sequence: number;
  body: string;
  integration_id: IntegrationId;
  mode: Mode;
  url: string;
  /** Sealed, the newest first: several while they are being rolled. */
  secrets: Buffer[];
  /** The merchant's own headers, sealed; null: none. */
  headers: Buffer | null;
  failing: boolean;
  deleted: boolean;
  /** A success would be the endpoint's first with an event that no test button made. */
  unverified: boolean;
  allow_private_webhooks: boolean;
  /** What goes wrong on purpose; null: nothing. */
  chaos: Chaos | null;
  /** The secret before this one, whether or not it still signs; null without chaos. */
  former_secret: Buffer | null;
};

/** How many more deliveries the worker will take of each endpoint; of others it takes `defaultRoom`. */
export type Rooms = ReadonlyMap<string, number>;

/** Which deliveries a claim looks at. */
export type ClaimSource =
  /** Every endpoint with pending deliveries, in the order of their ids, from beyond one of them. */
  | { after: string }
  /** These endpoints alone. */
  | { endpoints: string[] }
  /** What was due for an integration's test mode at a moment of the database's time. */
  | { testOf: string; dueAt: string };

/** What is first taken of an endpoint that this worker has nothing of in hand. */
export const defaultRoom = 8;
const failingRoom = 2;

// A lease that a crash of the database forgets is a lease that another worker takes: no need to wait for the disk.
const unsynced = `unsynced AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

const due = `d.status = 'pending' AND d.next_attempt_at <= now() AND (d.lease_until IS NULL OR d.lease_until <= now())`;

// Jumps from one endpoint to the next through the index of due deliveries: an endpoint with a million of
// them costs as much as one with a single delivery.
const ring = `ring (endpoint_id) AS (
    (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > $4
     ORDER BY d.endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM deliveries d WHERE d.status = 'pending' AND d.endpoint_id > ring.endpoint_id
            ORDER BY d.endpoint_id LIMIT 1)
    FROM ring WHERE ring.endpoint_id IS NOT NULL
  )`;

const hinted = `ring (endpoint_id) AS (SELECT unnest($4::uuid[]))`;

// The oldest few of each endpoint. A paused endpoint's deliveries wait; a deleted one's are taken, to be ended.
const fairly = `picked AS MATERIALIZED (
    SELECT d.endpoint_id, d.id
    FROM ring
    JOIN webhook_endpoints w ON w.id = ring.endpoint_id AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
    LEFT JOIN unnest($2::uuid[], $3::integer[]) AS known (endpoint_id, room) ON known.endpoint_id = w.id
    CROSS JOIN LATERAL (
      SELECT d.endpoint_id, d.id FROM deliveries d
      WHERE d.endpoint_id = w.id AND ${due}
      ORDER BY d.next_attempt_at
      LIMIT coalesce(known.room, CASE WHEN w.failing_since IS NULL THEN ${defaultRoom} ELSE ${failingRoom} END)
      FOR UPDATE SKIP LOCKED
    ) d
    LIMIT $1
  )`;

const testOnly = `picked AS MATERIALIZED (
    SELECT d.endpoint_id, d.id
    FROM deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
    WHERE d.integration_id = $2 AND d.mode = 'test' AND d.next_attempt_at <= $3 AND ${due}
      AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
    ORDER BY d.next_attempt_at
    LIMIT $1
    FOR UPDATE OF d SKIP LOCKED
  )`;

const leased = `leased AS (
    UPDATE deliveries d SET lease = d.lease + 1, lease_until = now() + interval '${leaseSeconds} seconds'
    FROM picked, unsynced WHERE d.endpoint_id = picked.endpoint_id AND d.id = picked.id
    RETURNING d.id, d.endpoint_id, d.lease, d.attempts, d.event_id
  )
  SELECT leased.*, e.sequence, e.body, w.integration_id, w.mode, w.url,
    ${signingSecretsSql} AS secrets,
    w.headers, w.failing_since IS NOT NULL AS failing, w.deleted_at IS NOT NULL AS deleted,
    w.verified_at IS NULL AND e.only_endpoint_id IS NULL AS unverified, i.allow_private_webhooks,
    w.chaos, ${formerSecretSql} AS former_secret
  FROM leased
  JOIN events e ON e.id = leased.event_id
  JOIN webhook_endpoints w ON w.id = leased.endpoint_id
  JOIN integrations i ON i.id = w.integration_id`;

const statements = {
  ring: { name: 'claim-ring', text: `WITH RECURSIVE ${unsynced}, ${ring}, ${fairly}, ${leased}` },
  hinted: { name: 'claim-hinted', text: `WITH ${unsynced}, ${hinted}, ${fairly}, ${leased}` },
  test: { name: 'claim-test', text: `WITH ${unsynced}, ${testOnly}, ${leased}` },
};

/**
 * Takes up to `limit` due deliveries under a lease, by the database's time. Any number of workers may claim
 * at once: each row goes to one of them, and comes back when its lease runs out.
 */
export async function claimDue(
  reader: Reader,
  source: ClaimSource,
  limit: number,
  rooms: Rooms = new Map(),
): Promise<ClaimedDelivery[]> {
  const query = queryOf(source, limit, rooms);
  const { rows } = await reader.query<ClaimedDelivery>(query);
  return rows;
}

function queryOf(source: ClaimSource, limit: number, rooms: Rooms) {
  if ('testOf' in source) return { ...statements.test, values: [limit, source.testOf, source.dueAt] };
  const bounds = [limit, [...rooms.keys()], [...rooms.values()]];
  return 'after' in source
    ? { ...statements.ring, values: [...bounds, source.after] }
    : { ...statements.hinted, values: [...bounds, source.endpoints] };
}

/** Gives claims back that were not used, where they still hold. Answers `true` for each. */
export async function releaseLeases(
  reader: Reader,
  deliveries: readonly Pick<ClaimedDelivery, 'endpoint_id' | 'id' | 'lease'>[],
): Promise<boolean[]> {
  await reader.query(
    `UPDATE deliveries d SET lease_until = NULL
     FROM unnest($1::uuid[], $2::uuid[], $3::integer[]) AS t (endpoint_id, id, lease)
     WHERE d.endpoint_id = t.endpoint_id AND d.id = t.id AND d.lease = t.lease AND d.status = 'pending'`,
    [
      deliveries.map((delivery) => delivery.endpoint_id),
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.lease),
    ],
  );
  return deliveries.map(() => true);
}
