import { decodeCursor, encodeCursor, pageOf } from '../kit/cursor.ts';
import type { Reader, Tx } from '../kit/db.ts';
import type { Hints } from '../kit/hints.ts';
import { firstIdAt, uuidPattern } from '../kit/ids.ts';
import { wakeWorkers } from './outbox.ts';
import type { EndpointId } from './service.ts';

type DeliveryRow = {
  id: string;
  event_id: string;
  status: 'pending' | 'delivered' | 'failed';
  next_attempt_at: Date | null;
};

type AttemptRow = {
  delivery_id: string;
  at: Date;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
};

type AttemptView = Omit<AttemptRow, 'delivery_id' | 'at'> & { at: string };

// A page of a hundred deliveries with eleven attempts each must not carry 64 KiB for every one of them.
const shownResponseLength = 4_096;

/** An endpoint's deliveries with their attempts, newest first. */
export async function listDeliveries(
  reader: Reader,
  endpointId: EndpointId,
  { cursor, limit }: { cursor?: string; limit: number },
) {
  const [before] = cursor ? decodeCursor(cursor, [uuidPattern]) : [];
  const { rows } = await reader.query<DeliveryRow>(
    `SELECT id, event_id, status, next_attempt_at FROM deliveries
     WHERE endpoint_id = $1 AND ($2::uuid IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [endpointId, before, limit + 1],
  );
  const page = pageOf(rows, limit, (row) => encodeCursor([row.id]));
  const attempts = await attemptsOf(reader, page.items);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      event_id: row.event_id,
      status: row.status,
      attempts: attempts.get(row.id) ?? [],
      next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    })),
    next_cursor: page.next_cursor,
  };
}

async function attemptsOf(
  reader: Reader,
  deliveries: readonly DeliveryRow[],
): Promise<Map<string, AttemptView[]>> {
  const { rows } = await reader.query<AttemptRow>(
    `SELECT delivery_id, at, status_code, duration_ms, error, left(response, $2) AS response
     FROM delivery_attempts WHERE delivery_id = ANY ($1) ORDER BY delivery_id, n`,
    [deliveries.map(({ id }) => id), shownResponseLength],
  );
  const attempts = new Map<string, AttemptView[]>();
  for (const { delivery_id, at, ...rest } of rows) {
    const shown = { at: at.toISOString(), ...rest };
    const known = attempts.get(delivery_id);
    if (known) known.push(shown);
    else attempts.set(delivery_id, [shown]);
  }
  return attempts;
}

/** How many of an endpoint's deliveries since that moment have failed; counted up to `most`. */
export async function countFailed(
  reader: Reader,
  endpointId: EndpointId,
  since: Date,
  most: number,
): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (
       SELECT FROM deliveries WHERE endpoint_id = $1 AND id >= $2 AND status = 'failed' LIMIT $3) d`,
    [endpointId, firstIdAt(since), most],
  );
  return rows[0]!.count;
}

/** Sends an endpoint's failed deliveries of events since that moment once more. Returns how many. */
export async function replayFailed(
  tx: Tx,
  hints: Hints,
  endpointId: EndpointId,
  since: Date,
): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = now()
     WHERE endpoint_id = $1 AND id >= $2 AND status = 'failed'`,
    [endpointId, firstIdAt(since)],
  );
  wakeWorkers(tx, hints, [{ endpoint_id: endpointId }]);
  return rowCount ?? 0;
}
