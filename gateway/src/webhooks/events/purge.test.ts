import { expect, test } from 'vitest';
import { createWorld, eventOf, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { updateEndpoint } from '../endpoints/endpoints.ts';
import { resendEvents } from './events.ts';
import { recordEvents } from './outbox.ts';
import { createPurge } from './purge.ts';

const world = await createWorld();

const day = 24 * 3600 * 1000;
const keptDays = 90;
const inDays = (days: number) => new Date(Date.now() + days * day);
/** A time for which there is no part: what is of that time leaves row by row. */
const longAgo = inDays(-200);
/** Forgets what there is to forget so many days from now. */
const purge = (days: number) => createPurge({ db: world.db, now: () => inDays(days), keptDays })();

async function kept(
  integrationId: string,
): Promise<{ events: string[]; deliveries: number; attempts: number }> {
  const events = await world.db.query<{ id: string }>(
    'SELECT id FROM events WHERE integration_id = $1 ORDER BY seq',
    [integrationId],
  );
  const { rows } = await world.db.query<{ deliveries: number; attempts: number }>(
    `SELECT count(DISTINCT d.id)::integer AS deliveries, count(a.delivery_id)::integer AS attempts
     FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_id = d.id WHERE d.integration_id = $1`,
    [integrationId],
  );
  return { events: events.rows.map(({ id }) => id), ...rows[0]! };
}

test('events are kept for the days that were set, and then go with their deliveries and attempts', async () => {
  const receiver = await startReceiver();
  const merchant = await world.merchant();
  await merchant.endpoint(receiver.url);
  await merchant.emit({ at: longAgo });
  const young = await merchant.emit({ at: inDays(-198) });
  await merchant.emit({ at: longAgo, type: 'payment_linked' });
  await world.runDue(merchant);
  const all = await kept(merchant.id);
  expect(all).toMatchObject({ deliveries: 2, attempts: 2 });

  await purge(-200 + keptDays - 1);
  expect(await kept(merchant.id)).toEqual(all);
  await purge(-200 + keptDays + 1);
  expect(await kept(merchant.id)).toEqual({ events: [young], deliveries: 1, attempts: 1 });
});

test('events of a part leave together, when the newest of them is old', async () => {
  const receiver = await startReceiver();
  const merchant = await world.merchant();
  await merchant.endpoint(receiver.url);
  await merchant.emit();
  const later = await merchant.emit({ at: inDays(8) });
  await world.runDue(merchant);
  const all = await kept(merchant.id);
  expect(all).toMatchObject({ deliveries: 2, attempts: 2 });
  await purge(keptDays);
  expect(await kept(merchant.id)).toEqual(all);
  await purge(keptDays + 7);
  expect(await kept(merchant.id)).toEqual({ events: [later], deliveries: 1, attempts: 1 });
  const gone = `SELECT FROM parts_of('events') WHERE since < now()`;
  expect((await world.db.query(gone)).rowCount).toBe(0);
  const { rowCount: attempts } = await world.db.query('SELECT FROM delivery_attempts');
  expect(attempts).toBeLessThanOrEqual(2);
});

test('an event that waits to be delivered stays, however old it is', async () => {
  const receiver = await startReceiver((response) => void response.writeHead(410).end());
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint(receiver.url);
  const failed = await merchant.emit();
  await world.runDue(merchant);
  await transaction(world.db, (tx) =>
    updateEndpoint(tx, world.hints, id, { status: 'paused', now: new Date() }),
  );
  await transaction(world.db, (tx) => resendEvents(tx, world.hints, [failed], new Date()));
  await purge(10 * keptDays);
  expect(await kept(merchant.id)).toMatchObject({ events: [failed], deliveries: 2, attempts: 1 });
  await transaction(world.db, (tx) =>
    updateEndpoint(tx, world.hints, id, { status: 'active', now: new Date() }),
  );
  expect(await world.runDue(merchant)).toBe(1);
  await purge(10 * keptDays);
  expect(await kept(merchant.id)).toEqual({ events: [], deliveries: 0, attempts: 0 });
});

test('an event that is held for an endpoint that is paused is kept no longer than others', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  await transaction(world.db, (tx) =>
    updateEndpoint(tx, world.hints, id, { status: 'paused', now: new Date() }),
  );
  await merchant.emit();
  expect(await kept(merchant.id)).toMatchObject({ deliveries: 1 });
  await purge(2 * keptDays);
  expect(await kept(merchant.id)).toEqual({ events: [], deliveries: 0, attempts: 0 });
});

test('an event that is sent again at the moment of its end is either kept and sent, or gone and not sent', async () => {
  const merchant = await world.merchant();
  await merchant.endpoint('http://127.0.0.1:9/hook');
  const old = await transaction(world.db, (tx) =>
    recordEvents(
      tx,
      world.hints,
      Array.from({ length: 40 }, () => eventOf(merchant.id)),
    ),
  );
  await world.db.query(
    "UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE integration_id = $1",
    [merchant.id],
  );
  const [, ...counts] = await Promise.all([
    purge(2 * keptDays),
    ...old.map((id) => transaction(world.db, (tx) => resendEvents(tx, world.hints, [id], new Date()))),
  ]);
  const { rows } = await world.db.query<{ orphans: number; waiting: number }>(
    `SELECT count(*) FILTER (WHERE NOT EXISTS (SELECT FROM events e WHERE e.id = d.event_id))::integer AS orphans,
       count(*) FILTER (WHERE status = 'pending')::integer AS waiting
     FROM deliveries d WHERE integration_id = $1`,
    [merchant.id],
  );
  expect(rows).toEqual([{ orphans: 0, waiting: counts.filter((count) => count === 1).length }]);
});

test('many are forgotten in several rounds, and then it rests for an hour', async () => {
  const merchant = await world.merchant();
  await transaction(world.db, (tx) =>
    recordEvents(
      tx,
      world.hints,
      Array.from({ length: 2_500 }, () => eventOf(merchant.id)),
    ),
  );
  const round = createPurge({ db: world.db, now: () => inDays(2 * keptDays), keptDays });
  const left = async () => (await kept(merchant.id)).events.length;
  await expect
    .poll(async () => {
      await round();
      return await left();
    })
    .toBe(0);
  await merchant.emit();
  await round();
  expect(await left()).toBe(1);
});
