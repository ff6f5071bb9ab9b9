import type { Reader, Tx } from './db.ts';

/** How a table is kept: its rows are never deleted, and these columns never change. */
type Kept = { columns: 'all' | readonly string[]; isReadOnly?: boolean };
export type KeptTables = Readonly<Record<string, Kept>>;

type Relation = {
  /** As it is written in a statement. */
  name: string;
  table: string;
  kind: 'table' | 'view' | 'sequence';
  /** The rights that the role has on the whole relation. */
  held: string[];
  columns: Column[];
};

/** A column of a kept table: whether the role may change it, whether it may insert it, and whether the database numbers it. */
type Column = { name: string; held: boolean; insertable: boolean; isNumbered: boolean };

const relationsSql = `
SELECT quote_ident(c.relname) AS name, c.relname AS table, 
  CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' ELSE 'table' END AS kind,
  ARRAY(SELECT privilege_type FROM aclexplode(c.relacl) WHERE grantee = r.oid) AS held,
  coalesce((
    SELECT json_agg(json_build_object('name', a.attname, 'held', EXISTS (
      SELECT FROM aclexplode(a.attacl) x WHERE x.grantee = r.oid AND x.privilege_type = 'UPDATE'),
      'insertable', EXISTS (
      SELECT FROM aclexplode(a.attacl) x WHERE x.grantee = r.oid AND x.privilege_type = 'INSERT'),
      'isNumbered', a.attidentity = 'a'))
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND c.relname = ANY ($2)
  ), '[]') AS columns
FROM pg_roles r JOIN pg_class c ON c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
WHERE r.rolname = $1 AND pg_has_role(c.relowner, 'USAGE') ORDER BY c.relname`;

/**
 * Grants a role the rights on every table, view and sequence of this owner that serving needs, and revokes any others.
 * Rights that are correct already are not touched; a role that does not exist is skipped.
 */
export async function grantServing(tx: Tx, role: string, kept: KeptTables): Promise<void> {
  const { rows } = await tx.query<Relation>(relationsSql, [role, Object.keys(kept)]);
  const grantee = `"${role.replaceAll('"', '""')}"`;
  const granted = new Map<string, string[]>();
  const statements: string[] = [];
  for (const relation of rows) {
    const { name, table, held } = relation;
    const wanted = wantedOf(relation, kept[table]);
    const kind = relation.kind === 'sequence' ? 'SEQUENCE' : 'TABLE';
    const extra = held.filter((privilege) => !wanted.includes(privilege));
    if (extra.length > 0) statements.push(`REVOKE ${extra.join(', ')} ON ${kind} ${name} FROM ${grantee}`);
    const missing = wanted.filter((privilege) => !held.includes(privilege));
    const grant = `GRANT ${missing.join(', ')} ON ${kind}`;
    if (missing.length > 0) granted.set(grant, [...(granted.get(grant) ?? []), name]);
    // Revoking a right on the whole table revokes it from each column too.
    if (kept[table]) {
      statements.push(...columnChanges(relation, kept[table], grantee, extra.includes('UPDATE')));
      statements.push(...insertChanges(relation, grantee, extra.includes('INSERT')));
    }
  }
  for (const [grant, names] of granted) statements.push(`${grant} ${names.join(', ')} TO ${grantee}`);
  const { rows: schemas } = await tx.query<{ name: string }>(
    `SELECT current_schema()::regnamespace::text AS name FROM pg_roles
     WHERE rolname = $1 AND NOT has_schema_privilege(oid, current_schema()::regnamespace, 'USAGE')`,
    [role],
  );
  for (const { name } of schemas) statements.push(`GRANT USAGE ON SCHEMA ${name} TO ${grantee}`);
  if (statements.length > 0) await tx.query(statements.join(';\n'));
}

function wantedOf({ kind, columns }: Relation, terms: Kept | undefined): string[] {
  if (kind === 'sequence') return ['SELECT', 'USAGE'];
  if (kind === 'view' || terms?.isReadOnly) return ['SELECT'];
  // Where the database numbers the rows, INSERT is granted on the other columns only.
  if (terms && columns.some(({ isNumbered }) => isNumbered)) return ['SELECT'];
  return terms ? ['SELECT', 'INSERT'] : ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
}

const listOf = (chosen: readonly Column[]): string =>
  chosen.map((column) => `"${column.name.replaceAll('"', '""')}"`).join(', ');

/** Without a right on the number: with it a row could be inserted among those that are stamped already. */
function insertChanges({ name, columns }: Relation, grantee: string, isRevoked: boolean): string[] {
  if (!columns.some(({ isNumbered }) => isNumbered)) return [];
  const extra = listOf(columns.filter(({ isNumbered, insertable }) => isNumbered && insertable));
  const missing = listOf(
    columns.filter(({ isNumbered, insertable }) => !isNumbered && (isRevoked || !insertable)),
  );
  return [
    ...(extra === '' || isRevoked ? [] : [`REVOKE INSERT (${extra}) ON ${name} FROM ${grantee}`]),
    ...(missing === '' ? [] : [`GRANT INSERT (${missing}) ON ${name} TO ${grantee}`]),
  ];
}

function columnChanges(
  { name, columns }: Relation,
  { columns: fixed }: Kept,
  grantee: string,
  isRevoked: boolean,
): string[] {
  const isFixed = (column: string): boolean => fixed === 'all' || fixed.includes(column);
  const extra = listOf(columns.filter((column) => column.held && isFixed(column.name)));
  const missing = listOf(columns.filter((column) => !isFixed(column.name) && (isRevoked || !column.held)));
  return [
    ...(extra === '' || isRevoked ? [] : [`REVOKE UPDATE (${extra}) ON ${name} FROM ${grantee}`]),
    ...(missing === '' ? [] : [`GRANT UPDATE (${missing}) ON ${name} TO ${grantee}`]),
  ];
}

const excessSql = `
SELECT quote_ident(c.relname) AS name FROM pg_class c
JOIN json_to_recordset($1) AS k (name text, columns text[]) ON k.name = c.relname
WHERE c.relnamespace = current_schema()::regnamespace AND (
  pg_has_role(c.relowner, 'MEMBER') OR has_table_privilege(c.oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
  OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND (k.columns IS NULL OR a.attname = ANY (k.columns)) AND has_column_privilege(c.oid, a.attnum, 'UPDATE')))
ORDER BY c.relname`;

/** The kept tables whose rows the role of this connection can change anyway, by any right it has. */
export async function changeableTables(reader: Reader, kept: KeptTables): Promise<string[]> {
  const tables = Object.entries(kept).map(([name, { columns }]) => ({
    name,
    columns: columns === 'all' ? null : columns,
  }));
  const { rows } = await reader.query<{ name: string }>(excessSql, [JSON.stringify(tables)]);
  return rows.map(({ name }) => name);
}
