import type { Reader } from '../kit/db/db.ts';
import { seqIs } from './entry-blocks.ts';
import type { Holder, Line } from './lines.ts';
import type { MonthStatement } from './statements.ts';

/** With which transfers of fees a line of a business was booked: those of the same cause, in the same moment. */
const feeCauses: Readonly<Record<string, readonly string[]>> = {
  payment_settled: ['payment_fee'],
  payment_taken_back: ['payment_fee_returned'],
  refund_taken: ['refund_fee_returned'],
  refund_given_back: ['refund_given_back'],
};

// Of several lines of one cause and moment the first has the fee.
const feesSql = `
SELECT t.id, sum(CASE WHEN c.kind = 'fees' THEN f.units ELSE -f.units END) AS units
FROM unnest($1::uuid[], $2::text[]) AS pair(id, fee_cause)
JOIN ledger_transfers t ON t.id = pair.id
JOIN ledger_accounts own ON own.id = t.debit
JOIN ledger_transfers f ON f.cause_id = t.cause_id AND f.created_at = t.created_at AND f.cause = pair.fee_cause
JOIN ledger_accounts d ON d.id = f.debit AND d.asset = own.asset
JOIN ledger_accounts c ON c.id = f.credit
WHERE (c.kind = 'fees' OR d.kind = 'fees') AND NOT EXISTS (
  SELECT FROM ledger_transfers e WHERE e.cause_id = t.cause_id AND e.created_at = t.created_at
    AND e.cause = t.cause AND e.debit = t.debit AND e.credit = t.credit AND e.id < t.id)
GROUP BY t.id`;

/**
 * The fees that were kept (or, negative, given back) together with lines of a business, in units of the line's asset, by
 * the line's transfer.
 */
export async function feesOfLines(
  reader: Reader,
  lines: readonly Pick<Line, 'transfer' | 'cause'>[],
): Promise<Map<string, bigint>> {
  const pairs = lines.flatMap(({ transfer, cause }) =>
    (feeCauses[cause] ?? []).map((feeCause) => ({ transfer, feeCause })),
  );
  if (pairs.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; units: bigint }>(feesSql, [
    pairs.map(({ transfer }) => transfer),
    pairs.map(({ feeCause }) => feeCause),
  ]);
  return new Map(rows.map(({ id, units }) => [id, units]));
}

/** A fee of a month that took the whole amount, so that the business has no line of it. */
export type LoneFee = { transfer: string; units: bigint; cause_id: string | null; created_at: Date };

const loneFeesSql = `
WITH own AS MATERIALIZED (
  SELECT a.id, a.asset, coalesce(m.from_seq, c.seq + 1, 1) AS from_seq
  FROM ledger_accounts a
  LEFT JOIN ledger_counted c ON c.account = a.id
  CROSS JOIN LATERAL (
    SELECT min(from_seq) AS from_seq FROM ledger_month_totals WHERE account = a.id AND month = $4 AND cause = 'payment_fee'
  ) m
  WHERE a.owner = $1 AND a.kind = 'suspense' AND a.mode = $2 AND a.asset = $3
)
SELECT t.id AS transfer, t.units, t.cause_id, t.created_at
FROM own
JOIN ledger_entries e ON e.account = own.id AND ${seqIs('e', '>=', 'own.from_seq')}
JOIN ledger_transfers t ON t.id = e.transfer AND t.cause = 'payment_fee'
WHERE to_char(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM') = $4 AND NOT EXISTS (
  SELECT FROM ledger_transfers s JOIN ledger_accounts b ON b.id = s.credit AND b.kind = 'business' AND b.asset = own.asset
  WHERE s.cause_id = t.cause_id AND s.created_at = t.created_at AND s.cause = 'payment_settled')
ORDER BY e.seq`;

/** The fees of one statement that no line of the business was booked with, oldest first. */
export async function loneFees(
  reader: Reader,
  { owner, mode }: Holder,
  { month, asset }: Pick<MonthStatement, 'month' | 'asset'>,
): Promise<LoneFee[]> {
  const { rows } = await reader.query<LoneFee>(loneFeesSql, [owner, mode, asset, month]);
  return rows;
}
