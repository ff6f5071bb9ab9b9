import { type Database, isLockTimeout, type Reader, type Tx, transaction } from '../../kit/db/db.ts';
import { anyLength, plainArray, textArray } from '../../kit/db/sql-arrays.ts';
import type { FaultKind } from '../answers/chaos-answers.ts';
import { missingSinceSql } from '../endpoints/endpoints.ts';

/** One attempt at a delivery: its outcome, and what becomes of the delivery. */
export type Attempt = {
  endpointId: string;
  deliveryId: string;
  /** Attempts that were recorded before this one. */
  attempts: number;
  /** When it became due, in ms of the database's time. */
  dueMs: number;
  status: 'pending' | 'delivered' | 'failed';
  /** Until the next attempt; null when there will be none. */
  waitSeconds: number | null;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** The `Name: value` lines that do not follow from the delivery (`shownLines`); null when nothing was sent. */
  requestHeaders: string | null;
  /** As they stood in the answer: `Name: value` lines. */
  responseHeaders: string | null;
  response: string | null;
  /** Whether the endpoint answered as it should; null when that changes nothing in its row. */
  healthy: boolean | null;
  /** The first success with an event of a real payment. */
  verifies: boolean;
  /** The fault that was injected into it; such an attempt does not count in its endpoint's health. */
  injectedFault: FaultKind | null;
};

/** An endpoint whose every attempt failed for so long is disabled (contract.md#webhooks). */
const disableAfterDays = 7;

// Only deliveries that the update changed get an attempt: where another worker recorded one first, nothing is written.
// `d.status || ''` keeps the plan off the index of pending deliveries, which it might read whole for each attempt.
// One array for each column: PostgreSQL reads these in two thirds of the time of JSON. The LIMIT takes all, and its
// value is unknown to the planner, which then expects one row, looks up each delivery and does not scan the table.
const insertAttempts = `
  WITH attempt AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::integer[], $4::text[], $5::float8[], $6::float8[],
        $7::integer[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
      AS t (endpoint_id, delivery_id, attempts, status, wait_seconds, at_ms, duration_ms, status_code, error,
        request_headers, response_headers, response, injected_fault)
    LIMIT (SELECT cardinality($1::uuid[]))
  ), moved AS (
    UPDATE deliveries d
    SET status = a.status, attempts = d.attempts + 1,
      next_attempt_at = now() + a.wait_seconds * interval '1 second'
    FROM attempt a
    WHERE d.endpoint_id = a.endpoint_id AND d.id = a.delivery_id AND d.attempts = a.attempts
      AND d.status || '' = 'pending'
    RETURNING d.attempts AS n, a.*
  )
  INSERT INTO delivery_attempts
    (delivery_id, n, at, duration_ms, status_code, error, request_headers, response_headers, response,
      injected_fault)
  SELECT delivery_id, n, to_timestamp(at_ms / 1000), duration_ms, status_code, error, request_headers, response_headers,
    response, injected_fault
  FROM moved
  RETURNING delivery_id`;

// In test mode the test clock makes retries due long ago, so a failure counts at the moment when it was due. In live
// mode it counts now, so that an endpoint with a long queue is disabled in time too.
const markHealth = `
  WITH shown AS (
    SELECT w.id, t.healthy, t.verifies,
      t.proven_ms IS NOT NULL AND w.status = 'active' AND w.failing_since <= interval '-${disableAfterDays} days'
        + CASE w.mode WHEN 'test' THEN to_timestamp(t.proven_ms / 1000) ELSE now() END AS over
    FROM unnest(${anyLength('$1', 'uuid')}, ${anyLength('$2', 'boolean')}, ${anyLength('$3', 'boolean')}, ${anyLength('$4', 'float8')})
      AS t (id, healthy, verifies, proven_ms)
    JOIN webhook_endpoints w ON w.id = t.id
    ORDER BY w.id
    FOR UPDATE OF w
  )
  UPDATE webhook_endpoints w
  SET failing_since = CASE WHEN shown.healthy THEN NULL ELSE coalesce(w.failing_since, now()) END,
    verified_at = CASE WHEN shown.verifies THEN coalesce(w.verified_at, now()) ELSE w.verified_at END,
    status = CASE WHEN over THEN 'disabled' ELSE w.status END,
    disabled_reason = CASE WHEN over THEN 'Every attempt failed for ${disableAfterDays} days' ELSE w.disabled_reason END,
    missing_since = CASE WHEN over THEN ${missingSinceSql} ELSE w.missing_since END
  FROM shown
  WHERE w.id = shown.id
    AND (over OR shown.healthy = (w.failing_since IS NOT NULL) OR (shown.verifies AND w.verified_at IS NULL))
  RETURNING w.id, over`;

export type RecordDeps = {
  db: Database;
  /** Reports endpoints that were just disabled, in the transaction that did it. */
  onDisabled: (tx: Tx, endpoints: string[]) => Promise<void>;
};

/**
 * Records attempts in one commit. Returns for each whether it was the next one of its delivery, or the error that kept
 * it alone from being recorded. It may be called again after the reply to a commit was lost: nothing is recorded twice.
 */
export async function recordAttempts(
  deps: RecordDeps,
  attempts: readonly Attempt[],
): Promise<(boolean | Error)[]> {
  try {
    return await recordTogether(deps, attempts);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    const free = await freeAmong(deps.db, attempts);
    const recorded = await recordTogether(deps, [...free]);
    const results = new Map([...free].map((attempt, index) => [attempt, recorded[index]]));
    return attempts.map((attempt) => results.get(attempt) ?? (error as Error));
  }
}

/**
 * The attempts whose rows are not locked: a transaction that changes very many deliveries of one merchant must not
 * delay those of others. The locks end with this statement; a row that is locked right after it is waited for again.
 */
async function freeAmong(db: Database, attempts: readonly Attempt[]): Promise<Set<Attempt>> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT d.id FROM unnest($1::uuid[], $2::uuid[]) AS t (endpoint_id, id)
     JOIN deliveries d ON d.endpoint_id = t.endpoint_id AND d.id = t.id
     JOIN webhook_endpoints w ON w.id = t.endpoint_id
     FOR NO KEY UPDATE OF d, w SKIP LOCKED`,
    [attempts.map(({ endpointId }) => endpointId), attempts.map(({ deliveryId }) => deliveryId)],
  );
  const free = new Set(rows.map(({ id }) => id));
  return new Set(attempts.filter(({ deliveryId }) => free.has(deliveryId)));
}

async function recordTogether(
  { db, onDisabled }: RecordDeps,
  attempts: readonly Attempt[],
): Promise<boolean[]> {
  const health = [...healthOf(attempts)];
  if (health.length === 0) return await record(db, attempts);
  return await transaction(db, async (tx) => {
    const recorded = await record(tx, attempts);
    const { rows } = await tx.query<{ id: string; over: boolean }>({
      name: 'mark-health',
      text: markHealth,
      values: [
        health.map(([id]) => id),
        health.map(([, { healthy }]) => healthy),
        health.map(([, { verifies }]) => verifies),
        health.map(([, { healthy, provenMs }]) => (healthy ? null : provenMs)),
      ],
    });
    const disabled = rows.filter(({ over }) => over).map(({ id }) => id);
    if (disabled.length > 0) await onDisabled(tx, disabled);
    return recorded;
  });
}

async function record(reader: Reader, attempts: readonly Attempt[]): Promise<boolean[]> {
  const { rows } = await reader.query<{ delivery_id: string }>({
    name: 'insert-attempts',
    text: insertAttempts,
    values: columnsOf(attempts),
  });
  const recorded = new Set(rows.map((row) => row.delivery_id));
  return attempts.map((attempt) => recorded.has(attempt.deliveryId));
}

type Health = Pick<Attempt, 'verifies'> & {
  healthy: boolean;
  /** When the last failure that may disable the endpoint was due (`provesFailing`); null: there is none. */
  provenMs: number | null;
};

/** What the attempts show of each endpoint; one success among failures is a success. */
function healthOf(attempts: readonly Attempt[]): Map<string, Health> {
  const health = new Map<string, Health>();
  for (const attempt of attempts) {
    const { endpointId, healthy, verifies } = attempt;
    if (healthy === null) continue;
    const known = health.get(endpointId);
    const moments = [known?.provenMs ?? [], provesFailing(attempt) ? attempt.dueMs : []].flat();
    health.set(endpointId, {
      healthy: healthy || known?.healthy === true,
      verifies: verifies || known?.verifies === true,
      provenMs: moments.length === 0 ? null : Math.max(...moments),
    });
  }
  return health;
}

/**
 * The first attempt of an event may fail by chance, and its retry a minute later decides. A 410 has no retry: the
 * receiver itself says that it is gone.
 */
function provesFailing({ attempts, statusCode }: Attempt): boolean {
  return attempts > 0 || statusCode === 410;
}

function columnsOf(attempts: readonly Attempt[]): (string | Buffer)[] {
  return [
    plainArray(attempts.map((attempt) => attempt.endpointId)),
    plainArray(attempts.map((attempt) => attempt.deliveryId)),
    plainArray(attempts.map((attempt) => attempt.attempts)),
    plainArray(attempts.map((attempt) => attempt.status)),
    plainArray(attempts.map((attempt) => attempt.waitSeconds)),
    plainArray(attempts.map((attempt) => attempt.at.getTime())),
    plainArray(attempts.map((attempt) => attempt.durationMs)),
    plainArray(attempts.map((attempt) => attempt.statusCode)),
    textArray(attempts.map((attempt) => attempt.error)),
    textArray(attempts.map((attempt) => attempt.requestHeaders)),
    textArray(attempts.map((attempt) => attempt.responseHeaders)),
    textArray(attempts.map((attempt) => attempt.response)),
    plainArray(attempts.map((attempt) => attempt.injectedFault)),
  ];
}
