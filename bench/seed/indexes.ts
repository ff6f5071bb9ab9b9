import type pg from 'pg';
import { type Database, setAnswerTimeout } from '../../gateway/src/kit/db/db.ts';

// Indexes that foreign keys refer to stay, and those of tables that are divided. The largest tables come first, so that they do not remain for the end.
const indexesSql = `
SELECT i.indrelid::regclass AS table, x.relname AS name, pg_get_indexdef(x.oid) AS definition,
  CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' END AS constrains
FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
LEFT JOIN pg_constraint c ON c.conindid = x.oid AND c.contype IN ('p', 'u')
WHERE i.indrelid = ANY ($1::regclass[]) AND t.relkind = 'r'
  AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.conindid = x.oid AND f.contype = 'f')`;

type LeftOut = { table: string; name: string; definition: string; constrains: string | null };

/** As many as a small machine has processors. */
export const connections = 2;

/**
 * Runs `work` while these tables have only the indexes that foreign keys refer to, and builds the others again, also after a
 * failure. For a database that nobody else uses meanwhile. The missing indexes are noted in the database: after a kill,
 * `buildLeftOut` builds them.
 */
export async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  await buildLeftOut(db);
  await withConnection(db, async (client) => {
    await client.query('BEGIN');
    await client.query(
      'CREATE TABLE seed_left_out ("table" text, name text, definition text, constrains text)',
    );
    const { rows } = await client.query<LeftOut>(`INSERT INTO seed_left_out ${indexesSql} RETURNING *`, [
      tables,
    ]);
    for (const { table, name, constrains } of rows) {
      await client.query(constrains ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`);
    }
    await client.query('COMMIT');
  });
  try {
    await work();
  } finally {
    await buildLeftOut(db);
  }
}

/** Builds the indexes that `withoutIndexes` has left out, if there are any. */
export async function buildLeftOut(db: Database): Promise<void> {
  const noted = await db.query<{ is: boolean }>("SELECT to_regclass('seed_left_out') IS NOT NULL AS is");
  if (!noted.rows[0]?.is) return;
  const { rows } = await db.query<LeftOut>(
    `SELECT * FROM seed_left_out l WHERE to_regclass(name) IS NULL ORDER BY pg_relation_size("table"::regclass) DESC, name`,
  );
  await Promise.all(
    Array.from({ length: connections }, () =>
      withConnection(db, async (client) => {
        await client.query("SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0");
        for (let next = rows.shift(); next; next = rows.shift()) await client.query(next.definition);
      }),
    ),
  );
  await withConnection(db, async (client) => {
    await client.query('BEGIN');
    const constraints = await client.query<LeftOut>(
      'SELECT * FROM seed_left_out WHERE constrains IS NOT NULL',
    );
    for (const { table, name, constrains } of constraints.rows) {
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${constrains} USING INDEX ${name}`);
    }
    await client.query('DROP TABLE seed_left_out');
    await client.query('COMMIT');
  });
}

/** Runs `work` on a connection without time limits, which is closed at the end. */
export async function withConnection<T>(
  db: Database,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await db.connect();
  try {
    setAnswerTimeout(client, 0);
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    return await work(client);
  } finally {
    client.release(true);
  }
}
