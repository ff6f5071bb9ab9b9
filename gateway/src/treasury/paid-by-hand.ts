import type { Reader, Tx } from '../kit/db/db.ts';
import { notePaid, noteUnpaid, type PlainPayment } from '../rails/evm/payouts/plain-exports.ts';
import { isUnordered } from './orders.ts';

// Which exported payouts the treasury has paid, by plain transfers that its chain shows as final. A transfer that nobody
// ordered, as far as was known, pays the oldest payout of the same asset, receiver and units that was exported before it.
// Each transfer pays one at most, and one that an operator assigned pays none: the row of the transfer says both.

type Chain = { chainId: number; rail: string };

// A block's time has whole seconds.
const fitsSql = `
FROM evm_payouts p JOIN evm_exports e ON e.id = p.export_id
JOIN treasury_moves m ON m.rail = $2 AND m.sender = e.vault AND m.asset = p.asset AND m.units = p.units
  AND lower(m.receiver) = p.receiver AND m.at >= date_trunc('second', e.created_at)
WHERE p.chain_id = $1 AND p.state = 'queued' AND p.exported_vault = 'treasury' AND e.is_plain`;

/** What pays a payout: a transfer that was noted as its own meanwhile, else one that nobody ordered. */
const paysSql = [
  `${fitsSql} AND m.payout_id = p.id AND m.state = 'final' AND m.target = 'operator'`,
  `${fitsSql} AND ${isUnordered} AND NOT EXISTS (SELECT FROM treasury_moves o WHERE o.payout_id = p.id)`,
] as const;

/** A transfer that has gone pays nothing; one that came back pays anew. */
const undoneSql = `
FROM evm_payouts p JOIN treasury_moves m ON m.ledger_id = p.paid_move
WHERE p.chain_id = $1 AND p.paid_move IS NOT NULL AND m.rail = $2 AND (m.state = 'gone' OR m.payout_id IS NULL)`;

/** Whether anything was paid, or is no longer. */
export async function isPaidByHand(reader: Reader, { chainId, rail }: Chain): Promise<boolean> {
  const asked = [...paysSql, undoneSql].map((sql) => `(SELECT 1 ${sql} LIMIT 1)`);
  const { rowCount } = await reader.query(asked.join(' UNION ALL '), [chainId, rail]);
  return rowCount !== 0;
}

/** Settles exported payouts by the transfers of the treasury. One at a time may do it on a chain. */
export async function settlePaidByHand(tx: Tx, chain: Chain, now: Date): Promise<void> {
  const place = [chain.chainId, chain.rail];
  const { rows } = await tx.query<{ id: string }>(`SELECT p.id ${undoneSql} FOR UPDATE OF m, p`, place);
  await noteUnpaid(
    tx,
    rows.map(({ id }) => id),
  );
  for (;;) {
    const payment = await nextPayment(tx, place);
    if (!payment) return;
    await tx.query('UPDATE treasury_moves SET payout_id = $2 WHERE ledger_id = $1', [
      payment.ledgerId,
      payment.order,
    ]);
    await notePaid(tx, payment, now);
  }
}

/** The oldest transfer that pays something, and the oldest payout of those that it could pay. */
async function nextPayment(tx: Tx, place: readonly unknown[]): Promise<PlainPayment | undefined> {
  for (const sql of paysSql) {
    const { rows } = await tx.query<PlainPayment>(
      `SELECT p.id AS order, m.transaction, m.ledger_id AS "ledgerId" ${sql}
       ORDER BY m.at, m.ledger_id, p.created_at, p.vault_id LIMIT 1 FOR UPDATE OF m, p`,
      [...place],
    );
    if (rows[0]) return rows[0];
  }
  return undefined;
}
