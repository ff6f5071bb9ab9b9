import type { Reader } from '../../kit/db/db.ts';
import { decodeCursor, encodeCursor, pageOf } from '../../kit/http/cursor.ts';
import { uuidPattern } from '../../kit/ids.ts';
import type { DeliveryStatus } from '../answers/answers.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';

type DeliveryRow = {
  id: string;
  event_id: string;
  status: DeliveryStatus;
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
