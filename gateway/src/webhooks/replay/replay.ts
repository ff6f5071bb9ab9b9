import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { firstIdAt } from '../../kit/ids.ts';
import type { Replay } from '../answers/console-answers.ts';
import {
  type Endpoint,
  type EndpointChange,
  type EndpointId,
  updateEndpoint,
} from '../endpoints/endpoints.ts';
import { webhookErrors } from '../errors.ts';
import { batchesAtOnce, queueHeld, replayBatch } from './replay-worker.ts';

/** What to send: what failed, what was missed, or both; all, or only what is not older than `since`. */
export type ReplayRequest = { since: Date | null; only?: 'failed' | 'missed' | undefined };

/** Deliveries are counted up to this number, and to one more, which means "more than" it. */
export const mostCounted = 100_000;

export type ReplayCount = { count: number; failed: number; missed: number };

/** How many deliveries a replay would queue, in all and by part; each is counted up to `most`. */
export async function countReplay(
  reader: Reader,
  endpointId: EndpointId,
  { since, only }: ReplayRequest,
  most = mostCounted + 1,
): Promise<ReplayCount> {
  const count = async (status: 'failed' | 'held') =>
    (await countUnsent(reader, [endpointId], status, { most, since })).get(endpointId) ?? 0;
  const failed = only === 'missed' ? 0 : await count('failed');
  const missed = only === 'failed' ? 0 : await count('held');
  return { count: Math.min(failed + missed, most), failed, missed };
}

/**
 * How many deliveries of each endpoint have failed, or are held because it was paused or disabled; those of events
 * from `since` on where it is given. Counted up to `most`; endpoints without any are left out.
 */
export async function countUnsent(
  reader: Reader,
  endpoints: readonly EndpointId[],
  status: 'failed' | 'held',
  { most, since = null }: { most: number; since?: Date | null },
): Promise<Map<EndpointId, number>> {
  const { rows } = await reader.query<{ id: EndpointId; count: number }>(
    `SELECT w.id, d.count FROM unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT count(*)::integer AS count FROM (
         SELECT FROM deliveries WHERE endpoint_id = w.id AND id >= $2 AND status = '${status}' LIMIT $3) found
     ) d WHERE d.count > 0`,
    [endpoints, firstIdAt(since ?? new Date(0)), most],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/**
 * Begins to send failed deliveries once more and held ones for the first time, in the order in which their events
 * happened. A few thousand are queued at once, the rest by `runReplays`. `counted` is what `countReplay` returned.
 * Refuses while one is under way, and when Florin has disabled the endpoint, since nothing is sent there.
 */
export async function startReplay(
  tx: Tx,
  hints: Hints,
  endpoint: Endpoint,
  { since, only, counted }: ReplayRequest & { counted: ReplayCount },
): Promise<Replay> {
  if (endpoint.status === 'disabled') throw refuse(webhookErrors.endpoint_off);
  // Both ends are fixed now: a delivery that fails or is held later is not part of this replay.
  const { rowCount } = await tx.query(
    `INSERT INTO webhook_replays AS r (endpoint_id, since, part, after_id, until_id, total, started_at)
     VALUES ($1, $2, $3, $4, coalesce((
       SELECT id FROM (
         (SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'failed' ORDER BY id DESC LIMIT 1)
         UNION ALL
         (SELECT id FROM deliveries WHERE endpoint_id = $1 AND status = 'held' ORDER BY id DESC LIMIT 1)
       ) d ORDER BY id DESC LIMIT 1
     ), $4), $5, now())
     ON CONFLICT (endpoint_id) DO UPDATE SET since = excluded.since, part = excluded.part, after_id = excluded.after_id,
       until_id = excluded.until_id, queued = 0, total = excluded.total, started_at = excluded.started_at,
       finished_at = NULL
     WHERE r.finished_at IS NOT NULL`,
    [
      endpoint.id,
      since,
      only,
      firstIdAt(since ?? new Date(0)),
      counted.count > mostCounted ? null : counted.count,
    ],
  );
  if (rowCount === 0) throw refuse(webhookErrors.replay_running);
  for (let n = 0; n < batchesAtOnce; n++) {
    if (await replayBatch(tx, hints, endpoint.id)) break;
  }
  const begun = await replayOf(tx, endpoint.id);
  if (!begun) throw new Error(`The replay of endpoint ${endpoint.id} was not found`);
  return begun;
}

/** `updateEndpoint`, which also queues what was held for an endpoint that it activates. */
export async function changeEndpoint(
  tx: Tx,
  hints: Hints,
  id: EndpointId,
  change: EndpointChange & { now: Date },
): Promise<Endpoint> {
  const endpoint = await updateEndpoint(tx, hints, id, change);
  if (change.status !== 'active' || !(await queueHeld(tx, hints, id))) return endpoint;
  return { ...endpoint, catchingUp: false, missingSince: null };
}

type ReplayRow = {
  endpoint_id: EndpointId;
  since: Date | null;
  queued: number;
  total: number | null;
  started_at: Date;
  finished_at: Date | null;
};

/** The last replay of each endpoint, and its progress; endpoints without one are left out. */
export async function replaysOf(
  reader: Reader,
  endpoints: readonly EndpointId[],
): Promise<Map<EndpointId, Replay>> {
  const { rows } = await reader.query<ReplayRow>(
    `SELECT endpoint_id, since, queued, total, started_at, finished_at
     FROM webhook_replays WHERE endpoint_id = ANY ($1)`,
    [endpoints],
  );
  return new Map(rows.map((row) => [row.endpoint_id, viewOf(row)]));
}

/** The endpoint's last replay, and its progress; null when there was none. */
export async function replayOf(reader: Reader, endpointId: EndpointId): Promise<Replay | null> {
  return (await replaysOf(reader, [endpointId])).get(endpointId) ?? null;
}

function viewOf({ since, queued, total, started_at, finished_at }: ReplayRow): Replay {
  return {
    status: finished_at ? 'done' : 'running',
    since: since?.toISOString() ?? null,
    count: queued,
    total,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}
