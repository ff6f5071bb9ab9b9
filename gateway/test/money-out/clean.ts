import type { Database } from '../../src/kit/db/db.ts';

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
    // What is never changed or deleted otherwise is guarded by triggers.
    const names = used.map(({ name }) => name).join(', ');
    await db.query(`BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE ${names} CASCADE; COMMIT`);
  };
}
