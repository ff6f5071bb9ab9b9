import { createCompleteRows } from '../kit/db/complete-rows.ts';
import { type Database, transaction } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { bySeq, seqIs } from './entry-blocks.ts';

/** Up to this many new lines are left to the query that reads them. */
const fewLines = 2_000;
const linesAtOnce = 10_000;
/** How many parts one call adds up: a million lines, more than come in a minute. */
const partsPerRun = 100;

const addSql = `
WITH chunk AS MATERIALIZED (
  SELECT e.seq, e.units, t.cause, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
  FROM (
    SELECT n.seq, n.transfer, n.units FROM ledger_entries n
    WHERE n.account = $1 AND ${seqIs('n', '>', '$2::bigint')} AND ${seqIs('n', '<=', '$3::bigint')} ${bySeq('n')} LIMIT $4
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

/**
 * Adds up an account's next lines that are not added up yet, up to the sequence number `upTo`, below which every line
 * must be committed. Several processes may do so at once.
 */
export async function addUpAccount(
  db: Database,
  account: bigint,
  upTo: bigint,
  limit = linesAtOnce,
): Promise<void> {
  await transaction(db, async (tx) => {
    await tx.query('INSERT INTO ledger_counted (account, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
      account,
    ]);
    const counted = await tx.query<{ seq: bigint }>(
      'SELECT seq FROM ledger_counted WHERE account = $1 FOR UPDATE',
      [account],
    );
    await tx.query(addSql, [account, oneRow(counted, 'counted lines').seq, upTo, limit]);
  });
}

/** The accounts of statements and totals that have more than `leftAlone` new lines up to a sequence number. */
async function accountsToAddUp(db: Database, upTo: bigint, leftAlone: number): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>(
    `SELECT a.id FROM ledger_accounts a
     LEFT JOIN ledger_counted c ON c.account = a.id
     WHERE a.kind IN ('business', 'suspense', 'fees', 'external', 'direct') AND EXISTS (
       SELECT FROM ledger_entries e
       WHERE e.account = a.id AND ${seqIs('e', '>', 'coalesce(c.seq, 0)')} AND ${seqIs('e', '<=', '$2::bigint')}
       OFFSET $1 LIMIT 1)`,
    [leftAlone, upTo],
  );
  return rows.map(({ id }) => id);
}

const numbered = { entries: { table: 'ledger_entries', sequence: 'ledger_entries_seq_seq' } };

/**
 * Returns the function that adds new lines up by month, in accounts with more than `leftAlone` of them. A call adds up a
 * bounded number of lines and leaves the rest to the next call. It returns whether nothing was left.
 */
export function createMonthTotals(db: Database, leftAlone = fewLines): () => Promise<boolean> {
  const completeRows = createCompleteRows(db, numbered);
  return async () => {
    const complete = await completeRows();
    if (!complete) return false;
    for (let parts = 0; parts < partsPerRun; ) {
      const accounts = await accountsToAddUp(db, complete.entries, leftAlone);
      if (accounts.length === 0) return true;
      for (const account of accounts) await addUpAccount(db, account, complete.entries);
      parts += accounts.length;
    }
    return false;
  };
}

/** SQL for the sum of all entries of the account `alias`: those that are added up by month, and later ones. */
export const entriesSum = (alias: string): string => `(
  coalesce((SELECT sum(m.incoming - m.outgoing) FROM ledger_month_totals m WHERE m.account = ${alias}.id), 0) +
  coalesce((SELECT sum(e.units) FROM ledger_entries e WHERE e.account = ${alias}.id
    AND ${seqIs('e', '>', `coalesce((SELECT c.seq FROM ledger_counted c WHERE c.account = ${alias}.id), 0)`)}), 0))`;
