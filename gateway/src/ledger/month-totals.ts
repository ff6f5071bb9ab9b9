import { type Database, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';

/** So few lines are added up when they are asked for. */
const leftAlone = 2_000;
const linesAtOnce = 10_000;

const addSql = `
WITH chunk AS MATERIALIZED (
  SELECT e.seq, e.units, t.cause, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
  FROM (
    SELECT seq, transfer, units FROM ledger_entries WHERE account = $1 AND seq > $2 ORDER BY seq LIMIT $3
  ) e JOIN ledger_transfers t ON t.id = e.transfer
), added AS (
  INSERT INTO ledger_month_totals AS m (account, month, cause, incoming, outgoing, lines, from_seq, to_seq)
  SELECT $1, month, cause, coalesce(sum(units) FILTER (WHERE units > 0), 0),
    coalesce(-sum(units) FILTER (WHERE units < 0), 0), count(*), min(seq), max(seq)
  FROM chunk GROUP BY month, cause
  ON CONFLICT (account, month, cause) DO UPDATE SET
    incoming = m.incoming + excluded.incoming,
    outgoing = m.outgoing + excluded.outgoing,
    lines = m.lines + excluded.lines,
    from_seq = least(m.from_seq, excluded.from_seq),
    to_seq = greatest(m.to_seq, excluded.to_seq)
)
UPDATE ledger_counted SET seq = (SELECT max(seq) FROM chunk) WHERE account = $1 AND EXISTS (SELECT FROM chunk)`;

/** Adds up a part of an account's lines that were not yet; several processes may do so at once. */
export async function addUpAccount(db: Database, account: bigint, limit = linesAtOnce): Promise<void> {
  await transaction(db, async (tx) => {
    await tx.query('INSERT INTO ledger_counted (account, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
      account,
    ]);
    const counted = await tx.query<{ seq: bigint }>(
      'SELECT seq FROM ledger_counted WHERE account = $1 FOR UPDATE',
      [account],
    );
    await tx.query(addSql, [account, oneRow(counted, 'counted lines').seq, limit]);
  });
}

/** Adds up the lines of every account of a business that has many which were not; statements stay quick. */
export async function addUpMonths(db: Database): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ id: bigint }>(
      `SELECT a.id FROM ledger_accounts a
       LEFT JOIN ledger_counted c ON c.account = a.id
       WHERE a.kind IN ('business', 'suspense') AND EXISTS (
         SELECT FROM ledger_entries WHERE account = a.id AND seq > coalesce(c.seq, 0)
         ORDER BY seq OFFSET $1 LIMIT 1)`,
      [leftAlone],
    );
    if (rows.length === 0) return;
    for (const { id } of rows) await addUpAccount(db, id);
  }
}
