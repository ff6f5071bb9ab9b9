import type { Reader, Tx } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { TransferRow } from './sql.ts';

/**
 * `requested`: owed to the customer; `sending`: ordered of its rail, and not yet seen to have left; `void`: it left
 * its chain before it was sent.
 */
export const refundStates = ['requested', 'sending', 'sent', 'void'] as const;
export type RefundState = (typeof refundStates)[number];

/** Notes the refund of a transfer; `id` is the ledger transfer that books it. */
export async function noteRefund(
  tx: Tx,
  id: string,
  { payment_id, rail, key, asset, units }: TransferRow,
  state: 'requested' | 'sent',
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_refunds (id, payment_id, rail, key, asset, units, state, created_at, sent_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [id, payment_id, rail, key, asset, units, state, now, state === 'sent' ? now : null],
  );
  await tx.query('UPDATE payment_transfers SET returned_at = $3 WHERE rail = $1 AND key = $2', [
    rail,
    key,
    now,
  ]);
}

/** Voids the refund of a transfer that has left its chain; false when it was sent or ordered already. */
export async function voidRefund(tx: Tx, { rail, key }: TransferRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payment_refunds SET state = 'void' WHERE rail = $1 AND key = $2 AND state = 'requested'`,
    [rail, key],
  );
  if (rowCount === 0) return false;
  // If the transfer comes back, it counts for the payment again.
  await tx.query('UPDATE payment_transfers SET returned_at = NULL WHERE rail = $1 AND key = $2', [rail, key]);
  return true;
}

type RefundRow = {
  id: string;
  asset: string;
  units: bigint;
  state: RefundState;
  transaction: string | null;
  created_at: Date;
  sent_at: Date | null;
};

/** The refunds of a payment, as the API shows them. */
export async function refundsOf(reader: Reader, assets: Assets, paymentId: string) {
  const { rows } = await reader.query<RefundRow>(
    `SELECT id, asset, units, state, transaction, created_at, sent_at FROM payment_refunds
     WHERE payment_id = $1 ORDER BY created_at, id`,
    [paymentId],
  );
  return rows.map(({ id, asset, units, state, transaction, created_at, sent_at }) => ({
    id,
    asset,
    amount: decimalOf(units, assets.get(asset).scale),
    state,
    transaction,
    created_at: created_at.toISOString(),
    sent_at: sent_at?.toISOString() ?? null,
  }));
}
