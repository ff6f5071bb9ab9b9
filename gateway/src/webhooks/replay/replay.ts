import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { refuse } from '../../kit/errors.ts';
import { firstIdAt } from '../../kit/ids.ts';
import type { Endpoint, EndpointId } from '../endpoints/endpoints.ts';
import { lastSeq, longestTransactionSeconds, missedCounts, settleTime } from '../endpoints/missed.ts';
import { webhookErrors } from '../errors.ts';
import { replayBatch } from './replay-batch.ts';

/** What to send again: what failed, what was missed, or both; all, or only what is not older than `since`. */
export type ReplayWish = { since: Date | null; only?: 'failed' | 'missed' | undefined };

export type Replay = {
  status: 'running' | 'done';
  since: string | null;
  /** How many deliveries were queued so far; when it is done: in all. */
  count: number;
  /** How many there were to queue when it began; null: more than 100,000. */
  total: number | null;
  started_at: string;
  finished_at: string | null;
};

/** Numbers of deliveries are counted up to this one, and one more for "more than". */
export const mostCounted = 100_000;

export type ReplayCount = { count: number; failed: number; missed: number };

/** How many deliveries a replay would queue: counted up to `most`, and the parts of it each. */
export async function countReplay(
  reader: Reader,
  endpointId: EndpointId,
  { since, only }: ReplayWish,
  most = mostCounted + 1,
): Promise<ReplayCount> {
  const failed = only === 'missed' ? 0 : await countFailed(reader, endpointId, since, most);
  const gaps = only === 'failed' ? null : await missedCounts(reader, [endpointId], most, since);
  const missed = gaps?.get(endpointId) ?? 0;
  return { count: Math.min(failed + missed, most), failed, missed };
}

async function countFailed(
  reader: Reader,
  endpointId: EndpointId,
  since: Date | null,
  most: number,
): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM deliveries WHERE endpoint_id = $1 AND id >= $2 AND status = 'failed' LIMIT $3) d`,
    [endpointId, firstIdAt(since ?? new Date(0)), most],
  );
  return rows[0]!.count;
}

// A small replay is done when the call answers.
const batchesAtOnce = 4;

/**
 * Begins to send failed deliveries once more and missed events for the first time, in the order in which they
 * happened. A few thousand are queued at once, the rest by `runReplays`. Asking twice queues nothing twice.
 * `counted` is what `countReplay` said. Refuses while one is under way, and when Florin has turned the endpoint
 * off, since nothing is sent there.
 */
export async function startReplay(
  tx: Tx,
  hints: Hints,
  endpoint: Endpoint,
  wish: ReplayWish & { counted: ReplayCount; now: Date },
): Promise<Replay> {
  const { counted, now } = wish;
  if (endpoint.status === 'disabled') throw refuse(webhookErrors.endpoint_off);
  const total = counted.count > mostCounted ? null : counted.count;
  // Whoever settles the endpoint holds its row.
  await tx.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [endpoint.id]);
  if (!(await insertReplay(tx, endpoint.id, wish, total))) throw refuse(webhookErrors.replay_running);
  if (wish.only !== 'failed') await takeGap(tx, endpoint.id, { since: wish.since, now });
  for (let n = 0; n < batchesAtOnce; n++) {
    if (await replayBatch(tx, hints, endpoint.id)) break;
  }
  return (await replayOf(tx, endpoint.id))!;
}

const nil = '00000000-0000-0000-0000-000000000000';

async function insertReplay(
  tx: Tx,
  endpointId: EndpointId,
  { since, only }: ReplayWish,
  total: number | null,
): Promise<boolean> {
  // Both ends are fixed now: what fails or is missed from here on is not this replay's.
  const { rowCount } = await tx.query(
    `INSERT INTO webhook_replays AS r (endpoint_id, since, failed_after, failed_until, missed_after, missed_until,
       total, started_at)
     SELECT w.id, $2,
       CASE WHEN $3 = 'missed' THEN $4 ELSE $5::uuid END,
       coalesce(CASE WHEN $3 = 'missed' THEN $4 ELSE (
         SELECT id FROM deliveries WHERE endpoint_id = w.id AND status = 'failed' ORDER BY id DESC LIMIT 1)
       END, $4),
       CASE WHEN $3 = 'failed' THEN 0 ELSE coalesce(w.missed_after, 0) END,
       CASE WHEN $3 = 'failed' OR w.missed_after IS NULL THEN 0 ELSE coalesce(w.missed_until, ${lastSeq}) END,
       $6, now()
     FROM webhook_endpoints w WHERE w.id = $1
     ON CONFLICT (endpoint_id) DO UPDATE SET since = excluded.since, failed_after = excluded.failed_after,
       failed_until = excluded.failed_until, missed_after = excluded.missed_after,
       missed_until = excluded.missed_until, queued = 0, total = excluded.total,
       started_at = excluded.started_at, finished_at = NULL
     WHERE r.finished_at IS NOT NULL`,
    [endpointId, since, only ?? null, nil, since ? firstIdAt(since) : nil, total],
  );
  return rowCount === 1;
}

/**
 * The gap is the replay's from here on, unless only a part of it was asked for. Events that are not committed yet
 * are not seen by it: the newest ones are looked at once more, when an endpoint that is active settles, and for one
 * that is not, with the rest of its gap.
 */
async function takeGap(tx: Tx, endpointId: EndpointId, { since, now }: { since: Date | null; now: Date }) {
  await tx.query(
    `WITH recent AS (
       SELECT coalesce((SELECT seq FROM events WHERE id < $3 ORDER BY id DESC LIMIT 1), 0) AS after
     ), taken AS (
       SELECT w.id, w.status = 'active' AS is_active, greatest(w.missed_after, recent.after) AS after
       FROM webhook_endpoints w, recent
       WHERE w.id = $1 AND w.missed_after IS NOT NULL AND ($2::timestamptz IS NULL OR w.missing_since >= $2)
     )
     UPDATE webhook_endpoints w
     SET missed_after = CASE WHEN is_active THEN NULL ELSE taken.after END,
       missing_since = CASE WHEN is_active THEN NULL ELSE now() END,
       missed_until = NULL,
       settle_after = CASE WHEN is_active THEN least(w.settle_after, taken.after) END,
       settle_at = CASE WHEN is_active THEN ${settleTime} END
     FROM taken WHERE w.id = taken.id`,
    [endpointId, since, firstIdAt(after(now, -longestTransactionSeconds))],
  );
}

type ReplayRow = {
  endpoint_id: EndpointId;
  since: Date | null;
  queued: number;
  total: number | null;
  started_at: Date;
  finished_at: Date | null;
};

/** The last replay of each endpoint and how far it came; endpoints without one are left out. */
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

/** The endpoint's last replay and how far it came; null when there was none. */
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
