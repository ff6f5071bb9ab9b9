import type { Reader } from '../kit/db.ts';
import type { AssetCode } from '../kit/money.ts';
import type { Holder, Line } from './lines.ts';

/** What a calendar month (UTC) did to one balance: `opening + incoming - outgoing = closing`, to the unit. */
export type MonthStatement = {
  /** `2026-03`. */
  month: string;
  asset: AssetCode;
  opening: bigint;
  incoming: bigint;
  outgoing: bigint;
  /** Kept by the gateway before the money came in: no part of `incoming`. */
  fees: bigint;
  closing: bigint;
  lines: number;
};

const statementsSql = `
WITH moved AS (
  SELECT to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, a.asset,
    coalesce(sum(e.units) FILTER (WHERE e.units > 0), 0) AS incoming,
    coalesce(-sum(e.units) FILTER (WHERE e.units < 0), 0) AS outgoing,
    count(*)::int AS lines
  FROM ledger_accounts a
  JOIN ledger_entries e ON e.account = a.id
  JOIN ledger_transfers t ON t.id = e.transfer
  WHERE a.owner = $1 AND a.kind = $2 AND a.mode = $3
  GROUP BY 1, 2
), fees AS (
  SELECT to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, a.asset, -sum(e.units) AS units
  FROM ledger_accounts a
  JOIN ledger_entries e ON e.account = a.id
  JOIN ledger_transfers t ON t.id = e.transfer AND t.cause = 'payment_fee'
  WHERE a.owner = $1 AND a.kind = 'suspense' AND a.mode = $3
  GROUP BY 1, 2
), months AS (
  SELECT month, asset, coalesce(m.incoming, 0) AS incoming, coalesce(m.outgoing, 0) AS outgoing,
    coalesce(f.units, 0) AS fees, coalesce(m.lines, 0) AS lines
  FROM moved m FULL JOIN fees f USING (month, asset)
)
SELECT month, asset, incoming, outgoing, fees, lines,
  sum(incoming - outgoing) OVER upto AS closing,
  sum(incoming - outgoing) OVER upto - incoming + outgoing AS opening
FROM months
WINDOW upto AS (PARTITION BY asset ORDER BY month)
ORDER BY month DESC, asset`;

/** Every month in which something moved, newest first, and each asset that did; a month opens as the last closed. */
export async function statementsOf(reader: Reader, { owner, kind, mode }: Holder): Promise<MonthStatement[]> {
  const { rows } = await reader.query<MonthStatement>(statementsSql, [owner, kind, mode]);
  return rows;
}

const linesAtOnce = 1_000;

/**
 * The lines of one statement, oldest first, each with the balance after it when `opening` was the balance
 * before the first. Read in parts, so that a month of any length takes little memory.
 */
export async function* monthLines(
  reader: Reader,
  { owner, kind, mode }: Holder,
  { month, asset, opening }: Pick<MonthStatement, 'month' | 'asset' | 'opening'>,
): AsyncGenerator<Line & { balance: bigint }> {
  let balance = opening;
  let afterSeq = 0n;
  for (;;) {
    const { rows } = await reader.query<Omit<Line, 'balance'>>(
      `SELECT e.seq, a.asset, e.units, t.id AS transfer, t.cause, t.cause_id, t.created_at,
         other.kind AS other_kind, other.owner AS other_owner
       FROM ledger_accounts a
       JOIN ledger_entries e ON e.account = a.id
       JOIN ledger_transfers t ON t.id = e.transfer
       JOIN ledger_accounts other ON other.id = CASE WHEN t.debit = a.id THEN t.credit ELSE t.debit END
       WHERE a.owner = $1 AND a.kind = $2 AND a.mode = $3 AND a.asset = $4 AND e.seq > $5
         AND t.created_at >= ($6 || '-01')::timestamp AT TIME ZONE 'UTC'
         AND t.created_at < (($6 || '-01')::timestamp + interval '1 month') AT TIME ZONE 'UTC'
       ORDER BY e.seq LIMIT $7`,
      [owner, kind, mode, asset, afterSeq, month, linesAtOnce],
    );
    for (const row of rows) {
      balance += row.units;
      yield { ...row, balance };
    }
    if (rows.length < linesAtOnce) return;
    afterSeq = rows.at(-1)!.seq;
  }
}
