import type { Database } from '../../gateway/src/kit/db/db.ts';

const indexesSql = `
SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = ANY ($1::regclass[]) AND NOT i.indisunique
ORDER BY c.relname`;

/**
 * Runs `work` while these tables have only the indexes that keep their rows unique, and builds the others again, also when
 * it fails. For a database that nobody else uses meanwhile.
 */
export async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(indexesSql, [tables]);
  for (const { name } of rows) await db.query(`DROP INDEX ${name}`);
  try {
    await work();
  } finally {
    const client = await db.connect();
    try {
      await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '512MB'");
      for (const { definition } of rows) await client.query(definition);
    } finally {
      client.release(true);
    }
  }
}
