import { expect, test } from 'vitest';
import { createWorld } from '../../../test/webhooks/fixtures.ts';
import { readDue } from './sql.ts';

const world = await createWorld();

test('what is due is read, oldest first, and what waits for its retry is not', async () => {
  const merchant = await world.merchant();
  const { id: endpointId } = await merchant.endpoint('http://127.0.0.1:9/');
  const events = [await merchant.emit(), await merchant.emit(), await merchant.emit()];
  const shift = (event: string | undefined, by: string) =>
    world.db.query('UPDATE deliveries SET next_attempt_at = now() + $2::interval WHERE event_id = $1', [
      event,
      by,
    ]);
  await shift(events[1], '-1 hour');
  await shift(events[2], '1 minute');
  const due = await readDue(world.db, [{ endpointId, room: 10, fromMs: 0 }], []);
  expect(due.map(({ event_id }) => event_id)).toEqual([events[1], events[0]]);
});
