import type { Reader, Tx } from '../kit/db/db.ts';
import { notePaid, noteUnpaid, type PlainPayment } from '../rails/evm/payouts/plain-exports.ts';
import { isUnordered } from './orders.ts';

// Which exported payouts the treasury has paid, by plain transfers that are final on its chain. A transfer without a known
// order pays the oldest payout of the same asset, receiver and units that was exported before it. Each transfer pays at
// most one payout, and one that an operator assigned pays none: both are in the row of the transfer.

type Chain = { chainId: number; rail: string };

// A block's time has whole seconds.
const fitsSql = `
FROM evm_payouts p JOIN evm_exports e ON e.id = p.export_id
JOIN treasury_moves m ON m.rail = $2 AND m.sender = e.vault AND m.asset = p.asset AND m.units = p.units
  AND lower(m.receiver) = p.receiver AND m.at >= date_trunc('second', e.created_at)
WHERE p.chain_id = $1 AND p.state = 'queued' AND p.exported_vault = 'treasury' AND e.is_plain`;

/** What pays a payout: a transfer that is noted as its own already, else one without an order. */
const paysSql = [
  `${fitsSql} AND m.payout_id = p.id AND m.state = 'final' AND m.target = 'operator'`,
  `${fitsSql} AND ${isUnordered} AND NOT EXISTS (SELECT FROM treasury_moves o WHERE o.payout_id = p.id)`,
] as const;

/** Payouts whose transfer has gone, so that they are not paid any more. */
const undoneSql = `
FROM evm_payouts p JOIN treasury_moves m ON m.ledger_id = p.paid_move
WHERE p.chain_id = $1 AND p.paid_move IS NOT NULL AND m.rail = $2 AND (m.state = 'gone' OR m.payout_id IS NULL)`;

/** Whether a payout was paid, or is not paid any more. */
export async function isPaidByHand(reader: Reader, { chainId, rail }: Chain): Promise<boolean> {
  const queries = [...paysSql, undoneSql].map((sql) => `(SELECT 1 ${sql} LIMIT 1)`);
  const { rowCount } = await reader.query(queries.join(' UNION ALL '), [chainId, rail]);
  return rowCount !== 0;
}

/** Settles exported payouts by the transfers of the treasury. Only one process at a time may do it for a chain. */
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

/** The oldest transfer that pays a payout, and the oldest payout that it can pay. */
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
