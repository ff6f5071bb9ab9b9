import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedIntegration, testSeal } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { relationCount } from '../../operations/backup/tables.ts';
import { emptyFreshDatabase } from './empty-database.ts';

test('of a fresh database nothing is left', async () => {
  const { db } = await testDatabase();
  const left = await transaction(db, async (tx) => {
    await emptyFreshDatabase(tx);
    const { rows } = await tx.query(
      `SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
         SELECT FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')`,
    );
    return { relations: await relationCount(tx), functions: rows.length };
  });
  expect(left).toEqual({ relations: 0, functions: 0 });
});

test('one that somebody has used keeps everything', async () => {
  const { db } = await testDatabase();
  await seedIntegration(db, testSeal);
  const before = await relationCount(db);
  await expect(transaction(db, emptyFreshDatabase)).rejects.toThrow('used this installation');
  expect(await relationCount(db)).toBe(before);
});
