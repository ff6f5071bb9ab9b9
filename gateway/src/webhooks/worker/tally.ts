import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import { plainArray } from '../../kit/db/sql-arrays.ts';
import { boundOf } from '../endpoints/latency.ts';
import type { Attempt } from './record.ts';

export type Tally = {
  /** Counts an attempt that was recorded. */
  count(attempt: Attempt): void;
  /** Writes what was counted. Never rejects. */
  flush(): Promise<void>;
};

type Row = {
  endpointId: string;
  hourMs: number;
  delivered: boolean;
  withinMs: number;
  attempts: number;
  lastMs: number;
};

const flushAfterMs = 2_000;
const keptDays = 8;
const msInHour = 3600 * 1000;

const addRows = `
  WITH counted AS (
    SELECT endpoint_id, to_timestamp(hour) AS hour, delivered, within_ms, attempts, to_timestamp(last) AS last_at
    FROM unnest($1::uuid[], $2::float8[], $3::boolean[], $4::integer[], $5::integer[], $6::float8[])
      AS t (endpoint_id, hour, delivered, within_ms, attempts, last)
  ), forgotten AS (
    DELETE FROM webhook_hours h USING (SELECT DISTINCT endpoint_id FROM counted) c
    WHERE h.endpoint_id = c.endpoint_id AND h.hour < now() - interval '${keptDays} days'
  )
  INSERT INTO webhook_hours AS h SELECT * FROM counted ORDER BY endpoint_id, hour, delivered, within_ms
  ON CONFLICT (endpoint_id, hour, delivered, within_ms)
  DO UPDATE SET attempts = h.attempts + excluded.attempts, last_at = greatest(h.last_at, excluded.last_at)`;

/**
 * Counts attempts for the endpoints' health, and adds the counts to the database every 2 s at most: they would slow
 * down the commits of the outcomes, which webhooks wait for. Counts that were not written before a crash are lost.
 */
export function createTally(db: Database, log: Logger): Tally {
  let rows = new Map<string, Row[]>();
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (rows.size === 0) return;
    const counted = [...rows.values()].flat();
    rows = new Map();
    await db
      .query({ name: 'add-webhook-hours', text: addRows, values: columnsOf(counted) })
      .catch((error) => log.warn({ err: error }, 'webhook attempts could not be counted'));
  }

  function flush(): Promise<void> {
    underway = underway.then(write);
    return underway;
  }

  return {
    count(attempt) {
      add(rows, attempt);
      timer ??= setTimeout(flush, flushAfterMs);
    },
    flush,
  };
}

/** An endpoint has few rows at a time: a bound or two of the current hour. */
function add(rows: Map<string, Row[]>, { endpointId, status, at, durationMs }: Attempt): void {
  const delivered = status === 'delivered';
  const withinMs = boundOf(durationMs);
  const lastMs = at.getTime();
  const hourMs = lastMs - (lastMs % msInHour);
  const known = rows.get(endpointId) ?? [];
  if (known.length === 0) rows.set(endpointId, known);
  const row = known.find(
    (each) => each.withinMs === withinMs && each.delivered === delivered && each.hourMs === hourMs,
  );
  if (row) {
    row.attempts += 1;
    row.lastMs = lastMs;
  } else known.push({ endpointId, hourMs, delivered, withinMs, attempts: 1, lastMs });
}

function columnsOf(rows: readonly Row[]): string[] {
  return [
    plainArray(rows.map((row) => row.endpointId)),
    plainArray(rows.map((row) => row.hourMs / 1000)),
    plainArray(rows.map((row) => row.delivered)),
    plainArray(rows.map((row) => row.withinMs)),
    plainArray(rows.map((row) => row.attempts)),
    plainArray(rows.map((row) => row.lastMs / 1000)),
  ];
}
