import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { AssetCode } from '../../../money/money.ts';
import type { Hex } from '../config/chains.ts';
import type { VaultPayout } from './calls.ts';

/** An order that waits to be signed. */
export type Order = VaultPayout & {
  id: string;
  asset: AssetCode;
  token: Hex;
  tries: number;
  /** A final transaction paid other orders of its token, and not this one. */
  wasRefused: boolean;
};

const orderColumns = `id, vault_id AS "vaultId", asset, token, receiver, units, tries, was_refused AS "wasRefused"`;

/** Whether a queued order `p` may be paid by this vault's signer, or be exported. */
export const canBePaidBy = (vault: string): string =>
  `p.export_id IS NULL AND p.used_up_by IS NULL AND (p.exported_vault IS NULL OR p.exported_vault = ${vault})`;

/** The queued orders that are due, the oldest first. */
export async function ordersDue(
  reader: Reader,
  { chainId, vault }: { chainId: number; vault: Hex },
  now: Date,
  atMost: number,
): Promise<Order[]> {
  const { rows } = await reader.query<Order>(
    `SELECT ${orderColumns} FROM evm_payouts p
     WHERE p.chain_id = $1 AND p.state = 'queued' AND p.retry_at <= $2 AND ${canBePaidBy('$4')}
     ORDER BY p.created_at, p.vault_id LIMIT $3`,
    [chainId, now, atMost, vault],
  );
  return rows;
}

/** The orders with these ids, in this order. */
export async function ordersById(reader: Reader, ids: readonly string[]): Promise<Order[]> {
  const { rows } = await reader.query<Order>(
    `SELECT ${orderColumns} FROM evm_payouts WHERE id = ANY ($1::uuid[]) ORDER BY array_position($1::uuid[], id)`,
    [ids],
  );
  return rows;
}

/**
 * The orders of a transaction that its vault may still pay, and their units: none that has ended, and none that another
 * vault or the treasury pays now. `isAnew`: only those that may be signed again. It waits for a transaction that is
 * ending one of them.
 */
export async function stillPayable(
  reader: Reader,
  { owners, treasury }: { owners: readonly string[]; treasury: Hex },
  isAnew: boolean,
): Promise<{ owners: string[]; units: bigint }> {
  const { rows } = await reader.query<{ id: string; units: bigint }>(
    `SELECT p.id, p.units FROM evm_payouts p
     WHERE p.id = ANY ($1::uuid[]) AND p.state NOT IN ('failed', 'cancelled')
       AND coalesce(p.exported_vault, $2) = $2
       AND NOT EXISTS (SELECT FROM evm_transactions o WHERE o.id = p.transaction_id AND o.treasury <> $2)
       ${isAnew ? `AND p.state IN ('queued', 'signed') AND p.export_id IS NULL` : ''}
     ORDER BY array_position($1::uuid[], p.id) FOR SHARE OF p`,
    [owners, treasury],
  );
  return { owners: rows.map(({ id }) => id), units: rows.reduce((sum, { units }) => sum + units, 0n) };
}

/** Notes that a transaction carries these orders. Throws OrdersChanged where one was cancelled or exported meanwhile. */
export async function noteSigned(tx: Tx, ids: readonly string[], transactionId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE evm_payouts SET state = 'signed', transaction_id = $2, fault = NULL, said_paid = false
     WHERE id = ANY ($1::uuid[]) AND state IN ('queued', 'signed') AND export_id IS NULL`,
    [ids, transactionId],
  );
  if (rowCount !== ids.length) throw new OrdersChanged();
}

/** An order was cancelled or exported while its transaction was signed: the transaction is neither written nor sent. */
export class OrdersChanged extends Error {}

/** Why orders wait, in words, and when they are tried again. */
export type Waiting = { ids: readonly string[]; why: string; retryAt: Date };

export async function noteWaiting(reader: Reader, { ids, why, retryAt }: Waiting): Promise<void> {
  await reader.query(
    `UPDATE evm_payouts SET fault = $2, retry_at = $3 WHERE id = ANY ($1::uuid[]) AND state = 'queued' AND export_id IS NULL`,
    [ids, why, retryAt],
  );
}

/**
 * Counts a refusal of one order, which is then tried less and less often. `isPaid`: the vault says that it has paid it;
 * the order cannot be cancelled before the event of that is known.
 */
export async function noteRefused(
  reader: Reader,
  id: string,
  { why, retryAt, isPaid }: { why: string; retryAt: Date; isPaid: boolean },
): Promise<void> {
  await reader.query(
    `UPDATE evm_payouts SET fault = $2, retry_at = $3, said_paid = $4, tries = tries + 1
     WHERE id = $1 AND state = 'queued' AND export_id IS NULL`,
    [id, why, retryAt, isPaid],
  );
}

/** Whether no transaction that carries an order `p` can still be mined, judged by final blocks. */
export const isFreeSql = `NOT EXISTS (
  SELECT FROM evm_transactions t
  WHERE t.chain_id = p.chain_id AND t.kind = 'payout' AND t.state IN ('prepared', 'sent', 'mined')
    AND p.id::text = ANY (t.payments))`;

/**
 * Ends an order that can never be carried out. False for one that was exported, since its file may still pay it, and for
 * one that a transaction under way carries.
 */
export async function failOrder(reader: Reader, id: string, why: string, now: Date): Promise<boolean> {
  const { rowCount } = await reader.query(
    `UPDATE evm_payouts p SET state = 'failed', fault = $2, ended_at = $3
     WHERE p.id = $1 AND p.state = 'queued' AND p.exported_vault IS NULL AND ${isFreeSql}`,
    [id, why, now],
  );
  return rowCount === 1;
}

/** Units of each token in transactions that are sent and in no block yet. */
export async function unitsOnTheWay(reader: Reader, chainId: number): Promise<Map<Hex, bigint>> {
  const { rows } = await reader.query<{ token: Hex; units: bigint }>(
    `SELECT token, sum(units) AS units FROM evm_transactions
     WHERE chain_id = $1 AND kind = 'payout' AND state IN ('prepared', 'sent') GROUP BY token`,
    [chainId],
  );
  return new Map(rows.map(({ token, units }) => [token, units]));
}

/** Whether there is anything to follow, to send, or to read. */
export async function isBusy(reader: Reader, chainId: number, now: Date, readBefore: Date): Promise<boolean> {
  const { rowCount } = await reader.query(
    `SELECT FROM evm_payouts WHERE chain_id = $1 AND (state = 'signed'
       OR (state = 'queued' AND retry_at <= $2 AND export_id IS NULL AND used_up_by IS NULL))
     UNION ALL
     SELECT FROM evm_transactions
     WHERE chain_id = $1 AND kind = 'payout' AND state IN ('prepared', 'sent', 'mined')
     UNION ALL
     SELECT FROM evm_payout_senders WHERE chain_id = $1 AND (read_at <= $3 OR fault IS NOT NULL)
     UNION ALL
     SELECT WHERE NOT EXISTS (SELECT FROM evm_payout_senders WHERE chain_id = $1)
     LIMIT 1`,
    [chainId, now, readBefore],
  );
  return rowCount === 1;
}
