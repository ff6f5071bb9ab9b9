import type { Logger } from 'pino';
import type { Database } from '../kit/db.ts';
import { boundOf } from './latency.ts';
import type { Attempt } from './record.ts';

export type Tally = {
  /** Counts an attempt that was recorded. */
  count(attempt: Attempt): void;
  /** Writes what was counted. Never rejects. */
  flush(): Promise<void>;
};

type Row = {
  endpointId: string;
  hour: string;
  delivered: boolean;
  withinMs: number;
  attempts: number;
  lastAt: string;
};

const flushAfterMs = 2_000;
const keptDays = 8;
const hourMs = 3600 * 1000;

const addRows = `
  WITH counted AS (
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::boolean[], $4::integer[], $5::integer[], $6::timestamptz[])
      AS t (endpoint_id, hour, delivered, within_ms, attempts, last_at)
  ), forgotten AS (
    DELETE FROM webhook_hours h USING (SELECT DISTINCT endpoint_id FROM counted) c
    WHERE h.endpoint_id = c.endpoint_id AND h.hour < now() - interval '${keptDays} days'
  )
  INSERT INTO webhook_hours AS h SELECT * FROM counted ORDER BY endpoint_id, hour, delivered, within_ms
  ON CONFLICT (endpoint_id, hour, delivered, within_ms)
  DO UPDATE SET attempts = h.attempts + excluded.attempts, last_at = greatest(h.last_at, excluded.last_at)`;

/**
 * Counts attempts for the endpoints' health, and adds them up in the database every 2 s at most: the commit of
 * the outcomes, which is what webhooks wait for, is spared them. Counts that a crash loses are lost.
 */
export function createTally(db: Database, log: Logger): Tally {
  let rows = new Map<string, Row>();
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (rows.size === 0) return;
    const counted = [...rows.values()];
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

function add(rows: Map<string, Row>, { endpointId, status, at, durationMs }: Attempt): void {
  const delivered = status === 'delivered';
  const withinMs = boundOf(durationMs);
  const hour = new Date(Math.floor(at.getTime() / hourMs) * hourMs).toISOString();
  const name = `${endpointId} ${hour} ${delivered} ${withinMs}`;
  const known = rows.get(name);
  if (known) {
    known.attempts += 1;
    known.lastAt = at.toISOString();
  } else rows.set(name, { endpointId, hour, delivered, withinMs, attempts: 1, lastAt: at.toISOString() });
}

function columnsOf(rows: readonly Row[]): unknown[][] {
  return [
    rows.map((row) => row.endpointId),
    rows.map((row) => row.hour),
    rows.map((row) => row.delivered),
    rows.map((row) => row.withinMs),
    rows.map((row) => row.attempts),
    rows.map((row) => row.lastAt),
  ];
}
