import type { Reader } from '../../src/kit/db/db.ts';

/** One thing of a schema that statements rely on. */
export type SchemaPart = {
  kind: 'relation' | 'column' | 'constraint' | 'index' | 'trigger' | 'function';
  /** Its table, or itself. */
  of: string;
  name: string;
  /** What it is, as PostgreSQL writes it. */
  definition: string;
  /** The columns that a constraint or an index is about; its own name for a column. */
  columns: string[];
  /** Of a column: whether a row must have a value, and where it comes from if a statement names none. */
  required?: boolean;
  given?: string | null;
  /** Of an index: whether it refuses rows. */
  unique?: boolean;
};

/** The parts by `kind of.name`. */
export type Schema = ReadonlyMap<string, SchemaPart>;

// A constraint NOT NULL is of its column: only PostgreSQL 18 gives it a name. No statement sees whether a table is divided.
const partsSql = `
WITH rel AS (
  SELECT oid, relname, CASE relkind WHEN 'p' THEN 'r' ELSE relkind END AS relkind FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT relispartition
)
SELECT 'relation' AS kind, relname::text AS of, relname::text AS name,
  CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(oid) ELSE relkind::text END AS definition,
  '{}'::text[] AS columns, NULL::boolean AS required, NULL::text AS given, NULL::boolean AS unique
FROM rel
UNION ALL
SELECT 'column', relname, attname, concat_ws(' ', format_type(atttypid, atttypmod),
    CASE WHEN attcollation <> typcollation THEN (SELECT 'COLLATE ' || collname FROM pg_collation c WHERE c.oid = attcollation) END,
    CASE WHEN attgenerated <> '' THEN 'GENERATED AS ' || pg_get_expr(adbin, adrelid) END,
    CASE attidentity WHEN 'a' THEN 'IDENTITY ALWAYS' WHEN 'd' THEN 'IDENTITY' END),
  ARRAY[attname::text], attnotnull,
  CASE WHEN attgenerated <> '' OR attidentity <> '' THEN 'itself' ELSE pg_get_expr(adbin, adrelid) END, NULL
FROM rel JOIN pg_attribute a ON attrelid = rel.oid AND attnum > 0 AND NOT attisdropped AND relkind <> 'S'
JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT 'constraint', relname, conname, pg_get_constraintdef(c.oid),
  ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey) ORDER BY attnum),
  NULL, NULL, NULL
FROM rel JOIN pg_constraint c ON conrelid = rel.oid AND contype <> 'n'
UNION ALL
SELECT 'index', relname, indexrelid::regclass::text, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '),
  ARRAY(SELECT DISTINCT attname::text FROM pg_attribute WHERE attrelid = indrelid AND (attnum = ANY (indkey) OR EXISTS (
    SELECT FROM pg_depend WHERE objid = indexrelid AND refobjid = indrelid AND refobjsubid = attnum)) AND attnum > 0
    ORDER BY 1),
  NULL, NULL, indisunique
FROM rel JOIN pg_index ON indrelid = rel.oid
UNION ALL
SELECT 'trigger', relname, tgname, pg_get_triggerdef(t.oid), '{}', NULL, NULL, NULL
FROM rel JOIN pg_trigger t ON tgrelid = rel.oid AND NOT tgisinternal
UNION ALL
SELECT 'function', oid::regprocedure::text, oid::regprocedure::text, pg_get_functiondef(oid), '{}', NULL, NULL, NULL
FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind IN ('f', 'p')`;

/** What a database has for statements to rely on: all but the order of columns, and who owns what. */
export async function readSchema(reader: Reader): Promise<Schema> {
  const { rows } = await reader.query<SchemaPart>(partsSql);
  return new Map(rows.map((part) => [`${part.kind} ${part.of}.${part.name}`, part]));
}
