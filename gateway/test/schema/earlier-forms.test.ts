import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Migration, migrate, readMigrations } from '../../src/kit/db/migrate.ts';
import { assertKnown } from '../../src/operations/backup/load.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { readSchema } from './schema.ts';

const ours = await readMigrations(join(import.meta.dirname, '../../src'));

/** 0135 as it was released: by a statement that PostgreSQL 15 does not have. */
function released0135({ sql, ...rest }: Migration): Migration {
  const [before = ''] = sql.split('-- A deposit counts when it is seen;');
  const earlier = `${before}-- A deposit counts when it is seen; all others when they are final, and when they no longer are.
ALTER TABLE evm_transfers ALTER COLUMN unreported SET EXPRESSION AS (
  CASE
    WHEN reported_state IS NULL THEN state = 'final' OR (kind = 'deposit' AND state = 'seen')
    WHEN kind <> 'deposit' THEN state <> 'seen' AND state <> reported_state
    ELSE state <> reported_state OR confirmations <> reported_confirmations
  END
);
`;
  return { ...rest, sql: earlier, checksum: createHash('sha256').update(earlier).digest('hex') };
}
const before = ours.map((migration) => (migration.number === 135 ? released0135(migration) : migration));

test('a database that 0135 migrated in its earlier form stays as it is, and has the schema of a new one', async () => {
  const [{ db: old }, { db: fresh }] = await Promise.all([emptyDatabase(), testDatabase()]);
  await migrate(old, before);
  expect(await migrate(old, ours)).toEqual([]);
  expect(await readSchema(old)).toEqual(await readSchema(fresh));
});

test('a backup of such a database is known', () => {
  const manifest = (migrations: Migration[]) => ({ migrations, florin: '0.1.0' }) as never;
  expect(() => assertKnown(manifest(before), ours)).not.toThrow();
  const other = before.map((each) => (each.number === 135 ? { ...each, checksum: '00' } : each));
  expect(() => assertKnown(manifest(other), ours)).toThrow('made with another 0135_evm_moves.sql');
});
