import type { Reader } from '../kit/db/db.ts';

/** Which moves `m` have no order that is known. */
export const isUnordered = `m.target = 'operator' AND m.state = 'final' AND m.payout_id IS NULL AND m.owner_kind IS NULL`;

const sameSql = 'rail, transaction, asset, units, receiver';
// A transaction may pay the same amount to one address twice: the first transfer belongs to the first payout, and so on.
const matchSql = `
WITH moves AS (
  SELECT m.ledger_id, row_number() OVER (PARTITION BY ${sameSql} ORDER BY m.ledger_id) AS n, rail, transaction, asset,
    units, lower(receiver) AS receiver
  FROM treasury_moves m WHERE ${isUnordered}
), orders AS (
  SELECT p.id, row_number() OVER (PARTITION BY p.rail, p.transaction, p.asset, p.units, lower(p.destination)
    ORDER BY p.id) AS n, p.rail, p.transaction, p.asset, p.units, lower(p.destination) AS receiver
  FROM payouts p
  WHERE p.transaction IN (SELECT transaction FROM moves)
    AND NOT EXISTS (SELECT FROM treasury_moves t WHERE t.payout_id = p.id)
)
UPDATE treasury_moves t SET payout_id = orders.id
FROM moves JOIN orders USING (rail, transaction, asset, units, receiver, n)
WHERE t.ledger_id = moves.ledger_id AND t.payout_id IS NULL AND t.state = 'final'`;

/**
 * Notes which payout ordered each move that left: one with its transaction, receiver and amount. A payout is matched with
 * one move only. It books nothing; operators are shown it.
 */
export async function matchOrders(reader: Reader): Promise<void> {
  await reader.query(matchSql);
}
