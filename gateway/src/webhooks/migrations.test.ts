import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyDatabase } from '../../test/support/database.ts';
import type { Database } from '../kit/db/db.ts';
import { migrate, readMigrations } from '../kit/db/migrate.ts';
import { newId } from '../kit/ids.ts';

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
