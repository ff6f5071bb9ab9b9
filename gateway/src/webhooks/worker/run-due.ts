import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrationId } from '../../identity/integration.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';

/** The hint that somebody waits for an endpoint's due deliveries; its key is the endpoint. */
export const hurryTopic = 'deliveries-hurry';

// An exchange ends within 5 s, and the endpoints of a worker that was killed are free after 10 s.
const patienceMs = 12_000;
// Somebody waits for the answer: what many deliveries to endpoints that hang still take is done without him.
const limitMs = 60_000;
const askAgainMs = 1_000;
const firstPauseMs = 2;

/** Between two looks at most: to count many takes longer, and so do they. */
function longestPauseMs(left: number): number {
  return Math.min(Math.max(40, left / 4), 250);
}

/**
 * Has every delivery tried once that is due at this moment for an integration's test mode, by whichever worker
 * holds its endpoint, and answers how many were. Leaves the rest to the workers when nothing moves for 12 s, and
 * after a minute (`withinMs`) in any case.
 */
export async function runDue(
  db: Reader,
  hints: Hints,
  integrationId: IntegrationId,
  withinMs = limitMs,
): Promise<number> {
  const giveUpAt = performance.now() + withinMs;
  const { rows } = await db.query<{ now: string }>('SELECT now()::text AS now');
  const dueAt = rows[0]!.now;
  const due = await dueTest(db, integrationId, dueAt);
  const total = sumOf(due);
  let left = total;
  let movedAt = performance.now();
  let askedAt = Number.NEGATIVE_INFINITY;
  for (let pause = firstPauseMs; left > 0; pause = Math.min(pause * 2, longestPauseMs(left))) {
    if (performance.now() > Math.min(movedAt + patienceMs, giveUpAt)) break;
    if (performance.now() > askedAt + askAgainMs) {
      for (const endpoint of due.keys()) hints.send(hurryTopic, endpoint);
      askedAt = performance.now();
    }
    await delay(pause);
    const now = sumOf(await dueTest(db, integrationId, dueAt));
    if (now < left) movedAt = performance.now();
    left = Math.min(left, now);
  }
  return total - left;
}

async function dueTest(db: Reader, integrationId: string, dueAt: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ endpoint_id: string; due: number }>({
    name: 'due-test',
    text: `SELECT d.endpoint_id, count(*)::integer AS due
           FROM deliveries d
           JOIN webhook_endpoints w ON w.id = d.endpoint_id AND (w.status = 'active' OR w.deleted_at IS NOT NULL)
           WHERE d.integration_id = $1 AND d.mode = 'test' AND d.status = 'pending' AND d.next_attempt_at <= $2
           GROUP BY d.endpoint_id`,
    values: [integrationId, dueAt],
  });
  return new Map(rows.map((row) => [row.endpoint_id, row.due]));
}

function sumOf(due: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of due.values()) sum += count;
  return sum;
}
