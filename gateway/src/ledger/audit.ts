import { liftTimeLimits, type Reader, type Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';

type AuditFinding = { check: string; subject: string; found: string };
export type AuditReport = { accounts: number; transfers: number; entries: number; findings: AuditFinding[] };

// Each check selects what is wrong; no row means that all is right.
const checks: Record<string, string> = {
  'a stored balance is the sum of its entries': `
    SELECT a.kind || ' ' || a.owner || ' ' || a.mode || ' ' || a.asset AS subject,
      'stored ' || a.balance || ', entries ' || coalesce(e.units, 0) AS found
    FROM ledger_accounts a
    LEFT JOIN (SELECT account, sum(units) AS units FROM ledger_entries GROUP BY account) e ON e.account = a.id
    WHERE a.stored AND a.balance <> coalesce(e.units, 0)`,
  'what was added up by month is the sum of the entries': `
    SELECT a.kind || ' ' || a.owner || ' ' || a.mode || ' ' || a.asset AS subject,
      'by month ' || coalesce(m.units, 0) || ', entries ' || coalesce(e.units, 0) AS found
    FROM ledger_counted c
    JOIN ledger_accounts a ON a.id = c.account
    LEFT JOIN (
      SELECT account, sum(incoming - outgoing) AS units FROM ledger_month_totals GROUP BY account
    ) m ON m.account = c.account
    LEFT JOIN (
      SELECT e.account, sum(e.units) AS units
      FROM ledger_entries e JOIN ledger_counted n ON n.account = e.account AND e.seq <= n.seq GROUP BY e.account
    ) e ON e.account = c.account
    WHERE coalesce(m.units, 0) <> coalesce(e.units, 0)`,
  'each mode and asset sums to zero': `
    SELECT a.mode || ' ' || a.asset AS subject, 'sum ' || sum(e.units) AS found
    FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
    GROUP BY a.mode, a.asset HAVING sum(e.units) <> 0`,
  'a transfer has its two entries and no other': `
    SELECT coalesce(t.id, e.transfer)::text AS subject, 'entries ' || coalesce(e.n, 0) AS found
    FROM ledger_transfers t
    FULL JOIN (
      SELECT e.transfer, count(*) AS n,
        count(*) FILTER (WHERE e.account = t.debit AND e.units = -t.units) AS debits,
        count(*) FILTER (WHERE e.account = t.credit AND e.units = t.units) AS credits
      FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer GROUP BY e.transfer
    ) e ON e.transfer = t.id
    WHERE t.id IS NULL OR e.n IS DISTINCT FROM 2 OR e.debits <> 1 OR e.credits <> 1`,
  'an entry belongs to a transfer': `
    SELECT e.transfer::text AS subject, 'seq ' || e.seq AS found
    FROM ledger_entries e LEFT JOIN ledger_transfers t ON t.id = e.transfer WHERE t.id IS NULL`,
  'both sides of a transfer are of one mode and asset': `
    SELECT t.id::text AS subject, 'debit ' || t.debit || ', credit ' || t.credit AS found
    FROM ledger_transfers t
    LEFT JOIN ledger_accounts d ON d.id = t.debit LEFT JOIN ledger_accounts c ON c.id = t.credit
    WHERE d.mode IS DISTINCT FROM c.mode OR d.asset IS DISTINCT FROM c.asset OR d.id IS NULL`,
  'what is held is the sum of the pending holds': `
    SELECT a.kind || ' ' || a.owner || ' ' || a.mode || ' ' || a.asset AS subject,
      'held ' || a.held || ', holds ' || coalesce(h.units, 0) AS found
    FROM ledger_accounts a
    LEFT JOIN (SELECT debit, sum(units) AS units FROM ledger_holds WHERE state = 'pending' GROUP BY debit) h
      ON h.debit = a.id
    WHERE a.held <> coalesce(h.units, 0)`,
  'a posted hold has its transfer, another has none': `
    SELECT h.id::text AS subject, h.state AS found
    FROM ledger_holds h LEFT JOIN ledger_transfers t ON t.id = h.id
    WHERE (h.state = 'posted') <> (t.id IS NOT NULL)`,
};

const maxFindings = 20;

/** How many checks an audit makes. */
export const auditChecks = Object.keys(checks).length;

/** Makes the transaction one snapshot of the ledger, however long its statements take. */
export async function beginAudit(tx: Tx): Promise<void> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  await liftTimeLimits(tx);
}

/** Recomputes the whole ledger from its entries. `tx` must be one snapshot (`beginAudit`). */
export async function auditLedger(
  tx: Reader,
  onCheck: (done: number) => void = () => {},
): Promise<AuditReport> {
  const findings: AuditFinding[] = [];
  for (const [index, [check, sql]] of Object.entries(checks).entries()) {
    onCheck(index);
    const { rows } = await tx.query<{ subject: string; found: string }>(`${sql} LIMIT ${maxFindings}`);
    for (const { subject, found } of rows) findings.push({ check, subject, found });
  }
  const counts = await tx.query<{ accounts: number; transfers: number; entries: number }>(
    `SELECT (SELECT count(*) FROM ledger_accounts)::int AS accounts,
       (SELECT count(*) FROM ledger_transfers)::int AS transfers,
       (SELECT count(*) FROM ledger_entries)::int AS entries`,
  );
  return { ...oneRow(counts, 'size of the ledger'), findings };
}
