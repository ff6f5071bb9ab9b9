import type { Database } from '../../src/kit/db/db.ts';
import { emptyTables } from '../support/database.ts';

/** Makes what empties every table again that is empty now, so that many schedules may share a database. */
export async function cleaner(db: Database): Promise<() => Promise<void>> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  const empty: string[] = [];
  for (const { name } of rows) {
    if ((await db.query(`SELECT FROM "${name}" LIMIT 1`)).rowCount === 0) empty.push(name);
  }
  const filled = empty.map((name) => `SELECT '"${name}"' AS name WHERE EXISTS (SELECT FROM "${name}")`);
  return async () => {
    const { rows: used } = await db.query<{ name: string }>(filled.join(' UNION ALL '));
    if (used.length === 0) return;
    await emptyTables(db, used.map(({ name }) => name).join());
  };
}
