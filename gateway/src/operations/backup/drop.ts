import type { Tx } from '../../kit/db/db.ts';

// What an extension brought stays: it is not of Florin.
const everythingSql = `
  WITH own AS (
    SELECT 1 AS turn, 'pg_class'::regclass AS catalog, c.oid, CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' END AS kind,
      c.oid::regclass::text AS name
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('v', 'm')
    UNION ALL
    SELECT 2, 'pg_class'::regclass, c.oid, 'TABLE', c.oid::regclass::text
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    UNION ALL
    SELECT 3, 'pg_class'::regclass, c.oid, 'SEQUENCE', c.oid::regclass::text
    FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S'
    UNION ALL
    SELECT 4, 'pg_proc'::regclass, p.oid, 'ROUTINE', p.oid::regprocedure::text
    FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 5, 'pg_type'::regclass, t.oid, 'TYPE', t.oid::regtype::text
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE t.typnamespace = current_schema()::regnamespace AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
  )
  SELECT format('DROP %s IF EXISTS %s CASCADE', kind, name) AS sql FROM own
  WHERE NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = own.catalog AND d.objid = own.oid AND d.deptype = 'e')
  ORDER BY turn, name`;

/** Drops all tables, views, sequences, functions and types of the schema; another backup is loaded in the same transaction. */
export async function dropEverything(tx: Tx): Promise<void> {
  const { rows } = await tx.query<{ sql: string }>(everythingSql);
  for (const { sql } of rows) await tx.query(sql);
}
