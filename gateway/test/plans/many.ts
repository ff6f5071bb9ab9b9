import { type Database, transaction } from '../../src/kit/db/db.ts';

/** The tables that grow with payments, and in them what must differ between a row and its copies. */
const tables: Record<string, Record<string, 'id' | 'text'>> = {
  payments: { id: 'id', reference: 'text', customer_email: 'text', customer_reference: 'text' },
  payment_moves: { payment_id: 'id' },
  payment_transfers: { key: 'text', payment_id: 'id', ledger_id: 'id', transaction: 'text' },
  appeals: { id: 'id', payment_id: 'id' },
  events: { id: 'id', payment_id: 'id', payment_reference: 'text' },
  deliveries: { id: 'id', event_id: 'id' },
  delivery_attempts: { delivery_id: 'id' },
  ledger_transfers: { id: 'id', cause_id: 'id' },
  ledger_entries: { transfer: 'id' },
};

/**
 * Adds so many copies of all payments with what belongs to them, each with ids of its own. Indexes are built anew when all
 * rows are there, which takes less time than to add each row to them; everybody else waits until the commit.
 */
export async function multiply(db: Database, copies: number): Promise<void> {
  const names = Object.keys(tables);
  await transaction(db, async (tx) => {
    // Foreign keys hold for the copies as they do for what is copied.
    await tx.query('SET LOCAL session_replication_role = replica; SET LOCAL statement_timeout = 0');
    // Watched, a statement takes longer by a third.
    await tx.query('SET LOCAL auto_explain.log_min_duration = -1');
    await tx.query("SET LOCAL maintenance_work_mem = '256MB'");
    // Before the copying, which a deadlock with a loop of the gateway would make twice.
    await tx.query(`LOCK TABLE ${names.join(', ')}`);
    const { rows: parts } = await tx.query<{ name: string }>(partsSql, [names]);
    await tx.query('UPDATE pg_index SET indisready = false WHERE indrelid = ANY ($1::regclass[])', [
      parts.map(({ name }) => name),
    ]);
    for (const table of names) await tx.query(await copySql(db, table), [copies]);
    // Makes them ready again.
    for (const { name } of parts) await tx.query(`REINDEX TABLE ${name}`);
  });
  await db.query(`VACUUM (ANALYZE) ${names.join(', ')}`);
}

// A table that is divided has no index of its own that could be built.
const partsSql = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND coalesce(pg_partition_root(oid), oid) = ANY ($1::text[]::regclass[])`;

async function copySql(db: Database, table: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  const values = names.map((name) => {
    const kind = tables[table]?.[name];
    // The copy's number replaces random digits: the time in front stays.
    if (kind === 'id')
      return `overlay(t.${name}::text PLACING lpad(to_hex(copy), 4, '0') FROM 20 FOR 4)::uuid`;
    return kind === 'text' ? `t.${name} || '-' || copy` : `t.${name}`;
  });
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${table} t
    CROSS JOIN generate_series(1, $1::integer) AS copy`;
}
