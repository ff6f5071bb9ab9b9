import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import { bySeq, seqIs } from './entry-blocks.ts';
import type { Holder, Line } from './lines.ts';

/** The statement of one balance for a calendar month (UTC): `opening + incoming - outgoing = closing`, exactly. */
export type MonthStatement = {
  /** `2026-03`. */
  month: string;
  asset: AssetCode;
  opening: bigint;
  incoming: bigint;
  outgoing: bigint;
  /** Fees that were kept before the money was credited: not part of `incoming`. Of `direct`, what of `outgoing` went to the host. */
  fees: bigint;
  closing: bigint;
  lines: number;
};

const statementsSql = `
WITH own AS MATERIALIZED (
  SELECT a.id, a.kind, a.asset, coalesce(c.seq, 0) AS counted
  FROM ledger_accounts a LEFT JOIN ledger_counted c ON c.account = a.id
  WHERE a.owner = $1 AND a.kind IN ($2, 'suspense') AND a.mode = $3
), parts AS (
  SELECT own.kind, own.asset, m.month, m.cause, m.incoming, m.outgoing, m.lines
  FROM own JOIN ledger_month_totals m ON m.account = own.id
  UNION ALL
  SELECT own.kind, own.asset, to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM'), t.cause,
    greatest(e.units, 0), greatest(-e.units, 0), 1
  FROM own
  JOIN ledger_entries e ON e.account = own.id AND ${seqIs('e', '>', 'own.counted')}
  JOIN ledger_transfers t ON t.id = e.transfer
), months AS (
  SELECT month, asset,
    coalesce(sum(incoming) FILTER (WHERE kind = $2), 0) AS incoming,
    coalesce(sum(outgoing) FILTER (WHERE kind = $2), 0) AS outgoing,
    coalesce(sum(lines) FILTER (WHERE kind = $2), 0)::int AS lines,
    coalesce(sum(outgoing) FILTER (WHERE kind = 'suspense' AND cause = 'payment_fee'
      OR kind = 'direct' AND cause = 'direct_fee'), 0) AS fees
  FROM parts WHERE kind = 'suspense' AND $2 <> 'direct' OR kind = $2 GROUP BY month, asset
)
SELECT month, asset, incoming, outgoing, fees, lines,
  sum(incoming - outgoing) OVER upto AS closing,
  sum(incoming - outgoing) OVER upto - incoming + outgoing AS opening
FROM months WHERE lines > 0 OR fees > 0
WINDOW upto AS (PARTITION BY asset ORDER BY month)
ORDER BY month DESC, asset`;

/** Every month with lines, newest first, for each asset; a month opens with the closing balance of the last one. */
export async function statementsOf(
  reader: Reader,
  { owner, kind, mode }: Omit<Holder, 'kind'> & { kind: Holder['kind'] | 'fees' },
): Promise<MonthStatement[]> {
  const { rows } = await reader.query<MonthStatement>(statementsSql, [owner, kind, mode]);
  return rows;
}

const linesAtOnce = 1_000;

const monthLinesSql = `
WITH own AS MATERIALIZED (
  SELECT a.id, a.asset, coalesce(m.from_seq, c.seq + 1, 1) AS from_seq
  FROM ledger_accounts a
  LEFT JOIN ledger_counted c ON c.account = a.id
  CROSS JOIN LATERAL (
    SELECT min(from_seq) AS from_seq FROM ledger_month_totals WHERE account = a.id AND month = $6
  ) m
  WHERE a.owner = $1 AND a.kind = $2 AND a.mode = $3 AND a.asset = $4
)
SELECT e.seq, own.asset, e.units, t.id AS transfer, t.cause, t.cause_id, t.created_at,
  other.kind AS other_kind, other.owner AS other_owner,
  to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') = $6 AS is_of_month
FROM own
CROSS JOIN LATERAL (
  SELECT n.seq, n.transfer, n.units FROM ledger_entries n
  WHERE n.account = own.id AND ${seqIs('n', '>', '$5::bigint')} AND ${seqIs('n', '>=', 'own.from_seq')} ${bySeq('n')} LIMIT $7
) e
JOIN ledger_transfers t ON t.id = e.transfer
JOIN ledger_accounts other ON other.id = CASE WHEN t.debit = own.id THEN t.credit ELSE t.debit END
ORDER BY e.seq`;

/**
 * The lines of one statement, oldest first, each with the balance after it. Lines that came since the statement
 * was made are left out. Read in parts, so that a month of any length takes little memory.
 */
export async function* monthLines(
  reader: Reader,
  { owner, kind, mode }: Holder,
  { month, asset, opening, lines }: MonthStatement,
): AsyncGenerator<Line & { balance: bigint }> {
  let balance = opening;
  let left = lines;
  let afterSeq = 0n;
  while (left > 0) {
    const { rows } = await reader.query<Omit<Line, 'balance'> & { is_of_month: boolean }>(monthLinesSql, [
      owner,
      kind,
      mode,
      asset,
      afterSeq,
      month,
      linesAtOnce,
    ]);
    for (const { is_of_month: isOfMonth, ...row } of rows) {
      if (!isOfMonth || left === 0) continue;
      balance += row.units;
      left -= 1;
      yield { ...row, balance };
    }
    const last = rows.at(-1);
    if (!last || rows.length < linesAtOnce) return;
    afterSeq = last.seq;
  }
}
