import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KeptTables } from '../../src/kit/db/grants.ts';
import { migrate, readMigrations } from '../../src/kit/db/migrate.ts';
import { keptTables } from '../../src/operations/kept-tables.ts';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { contractions } from './contractions.ts';
import { readSchema } from './schema.ts';

type Released = { version: string; migrations: Record<string, string>; keptTables: KeptTables };

// Written by scripts/released.ts when a release is made. Where that was forgotten, the one before it is held to.
const released: Released = JSON.parse(await readFile(join(import.meta.dirname, 'released.json'), 'utf8'));
const ours = await readMigrations(join(import.meta.dirname, '../../src'));

/**
 * What the released version has been found to do without, by the line of the finding: a contraction, one release after the
 * last statement that needs it (docs/releases.md). A line goes with the next release.
 */
const withdrawn: Readonly<Record<string, string>> = {};

test('a migration that was released is there and unchanged, and none was added before the last of them', () => {
  const last = Object.keys(released.migrations).sort().at(-1) ?? '';
  const now = ours.filter(({ name }) => name <= last).map(({ name, checksum }) => [name, checksum]);
  expect(Object.fromEntries(now)).toEqual(released.migrations);
});

describe('the released version can serve on the schema of this one', () => {
  test('which has all that its statements rely on, and refuses nothing that it writes', async () => {
    const [{ db: before }, { db: after }] = await Promise.all([emptyDatabase(), testDatabase()]);
    await migrate(
      before,
      ours.filter(({ name }) => name in released.migrations),
    );
    const found = contractions(await readSchema(before), await readSchema(after));
    expect(found).toEqual(Object.keys(withdrawn).sort());
  });

  test('with the rights that it had', () => {
    const taken = Object.entries(keptTables).filter(([name, { columns, isReadOnly = false }]) => {
      const had = released.keptTables[name];
      // A table that is new since was of no use to it; `isReadOnly` and a column are rights that are taken.
      if (!had) return knownToReleased(name);
      const fixed = had.columns === 'all' ? null : new Set(had.columns);
      const isMore = fixed !== null && (columns === 'all' || columns.some((column) => !fixed.has(column)));
      return isMore || (isReadOnly && !had.isReadOnly);
    });
    expect(taken.map(([name]) => name)).toEqual([]);
  });
});

/** Whether a released migration makes a table of that name. */
function knownToReleased(table: string): boolean {
  const makes = new RegExp(`CREATE TABLE (IF NOT EXISTS )?${table}\\b|RENAME TO ${table}\\b`);
  return ours.some(({ name, sql }) => name in released.migrations && makes.test(sql));
}
