import { beforeEach, expect, test } from 'vitest';
import { createWorld } from '../../../test/webhooks/fixtures.ts';
import { type Attempt, recordAttempts } from './record.ts';

const world = await createWorld();

let attempt: Attempt;
beforeEach(async () => {
  const merchant = await world.merchant();
  const { id: endpointId } = await merchant.endpoint('http://127.0.0.1:9/');
  const { rows } = await world.db.query<{ id: string }>('SELECT id FROM deliveries WHERE event_id = $1', [
    await merchant.emit(),
  ]);
  attempt = {
    ...{ endpointId, deliveryId: rows[0]!.id, attempts: 0, dueMs: 0, status: 'pending', waitSeconds: 60 },
    ...{ at: new Date('2026-03-01T12:00:00Z'), durationMs: 5, statusCode: 500, error: null },
    ...{ requestHeaders: null, responseHeaders: null, response: null, healthy: null, verifies: false },
    injectedFault: null,
  };
});

const record = () => recordAttempts({ db: world.db, onDisabled: async () => {} }, [attempt]);
/** `status attempts`, and how many attempts are listed. */
async function standing(): Promise<string> {
  const { rows } = await world.db.query<{ text: string }>(
    `SELECT status || ' ' || attempts || ' ' ||
       (SELECT count(*) FROM delivery_attempts a WHERE a.delivery_id = d.id) AS text
     FROM deliveries d WHERE id = $1`,
    [attempt.deliveryId],
  );
  return rows[0]!.text;
}

test('an attempt is recorded once', async () => {
  expect(await record()).toEqual([true]);
  expect(await record()).toEqual([false]);
  expect(await standing()).toBe('pending 1 1');
});

test.each(['held', 'failed', 'delivered'])(
  'one of a delivery that is %s by now leaves no trace, and does not have it sent again',
  async (status) => {
    await world.db.query(`UPDATE deliveries SET status = $2, next_attempt_at = NULL WHERE id = $1`, [
      attempt.deliveryId,
      status,
    ]);
    expect(await record()).toEqual([false]);
    expect(await standing()).toBe(`${status} 0 0`);
  },
);
