import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDatabase } from '../../test/support/database.ts';
import type { Database } from '../kit/db/db.ts';
import { migrate, readMigrations } from '../kit/db/migrate.ts';
import { type Id, newId } from '../kit/ids.ts';

const all = await readMigrations(join(import.meta.dirname, '..'));

/** A database as it was before the migration with this number, and what applies the rest. */
async function before(number: number): Promise<{ db: Database; migrateOn: () => Promise<unknown> }> {
  const { db } = await emptyDatabase();
  await migrate(
    db,
    all.filter((each) => each.number < number),
  );
  return { db, migrateOn: () => migrate(db, all) };
}

test('0083 finds the injected fault of each attempt by what its error said', async () => {
  const { db, migrateOn } = await before(83);
  const errors: [string | null, string | null][] = [
    ['Chaos: it was taken, and is sent once more', 'duplicate'],
    ['Chaos: held back for 300 s, so that a later event may overtake it', 'reorder'],
    ['Chaos: held back for 600 s', 'delay'],
    ['Chaos: dropped, as if it were lost on the way', 'drop'],
    ['Chaos: signed wrongly; Answered 401', 'bad_signature'],
    ['Chaos: the receiver accepted a wrong signature', 'bad_signature'],
    ['Chaos: signed with the time of an hour ago; Answered 401', 'stale_timestamp'],
    ['Chaos: the receiver accepted a time of an hour ago', 'stale_timestamp'],
    ['Chaos: signed with the old secret alone; Answered 401', 'old_secret'],
    ['Chaos: the receiver accepted the old secret alone', 'old_secret'],
    ['Answered 500', null],
    [null, null],
  ];
  await db.query(
    `INSERT INTO delivery_attempts (delivery_id, n, at, duration_ms, error)
     SELECT $1, n, now(), 1, error FROM unnest($2::text[]) WITH ORDINALITY AS t (error, n)`,
    [newId(), errors.map(([error]) => error)],
  );
  await migrateOn();
  const { rows } = await db.query<{ injected_fault: string | null }>(
    'SELECT injected_fault FROM delivery_attempts ORDER BY n',
  );
  expect(rows.map((row) => row.injected_fault)).toEqual(errors.map(([, fault]) => fault));
});

test('0084 holds what endpoints that were off have missed, and goes on with their replays', async () => {
  const { db, migrateOn } = await before(84);
  const [integration, paused, activated, replaying] = Array.from({ length: 4 }, () => newId());
  await db.query("INSERT INTO integrations (id, name, created_at) VALUES ($1, 'Shop', now())", [integration]);
  await db.query(
    `INSERT INTO webhook_endpoints (id, integration_id, mode, url, events, status, secret, missed_after, missed_until,
       missing_since, settle_after, settle_at)
     VALUES ($2, $1, 'test', 'http://127.0.0.1:9/', '{payment_completed}', 'paused', '', 1, NULL, now(), NULL, NULL),
       ($3, $1, 'test', 'http://127.0.0.1:9/', '{payment_completed}', 'active', '', 2, 3, now(), 4, now()),
       ($4, $1, 'test', 'http://127.0.0.1:9/', '{payment_completed}', 'active', '', NULL, NULL, NULL, NULL, NULL)`,
    [integration, paused, activated, replaying],
  );
  const events = Array.from({ length: 5 }, (_, n) => newId(new Date(1_000 * (n + 1))));
  await db.query(
    `INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body, created_at)
     SELECT id, $1, 'test', CASE n WHEN 4 THEN 'payment_failed' ELSE 'payment_completed' END, $1, 'P', n, '{}',
       to_timestamp(n)
     FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n) ORDER BY n`,
    [integration, events],
  );
  await db.query(
    `INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, next_attempt_at)
     VALUES ($1, gen_random_uuid(), $2, $3, 'test', 'delivered', NULL)`,
    [paused, events[2], integration],
  );
  await db.query(
    `INSERT INTO webhook_replays (endpoint_id, since, failed_after, failed_until, missed_after, missed_until, started_at)
     VALUES ($1, to_timestamp(1.5), $2, $2, 0, 3, now())`,
    [replaying, newId()],
  );
  await migrateOn();
  const { rows } = await db.query<{ endpoint_id: string; event_id: string; status: string }>(
    `SELECT endpoint_id, event_id, status FROM deliveries WHERE status <> 'delivered' ORDER BY event_id`,
  );
  const of = (id: string | undefined) =>
    rows
      .filter(({ endpoint_id }) => endpoint_id === id)
      .map(({ event_id, status }) => `${events.indexOf(event_id as Id<string>) + 1} ${status}`);
  // The fourth is of a type that they did not ask for; the paused one has been sent the third.
  expect(of(paused)).toEqual(['2 held', '5 held']);
  expect(of(activated)).toEqual(['3 held', '5 pending']);
  expect(of(replaying)).toEqual(['2 held', '3 held']);
  const replays = await db.query(
    `SELECT part, after_id < $2 AS from_second, until_id >= $3 AS to_third FROM webhook_replays WHERE endpoint_id = $1`,
    [replaying, events[1], `${events[2]!.slice(0, 18)}-0000-000000000000`],
  );
  expect(replays.rows).toEqual([{ part: 'missed', from_second: true, to_third: true }]);
});
