import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { Exportable } from '../../by-hand.ts';
import type { Hex } from '../config/chains.ts';
import { type ExportedOrder, lockOldest, waitsForHand, writeExport } from './exports.ts';

// Orders that a person pays by plain transfers of the treasury. The chain does not know which order a transfer pays: an
// exported order can be paid at any time and more than once, so it is never taken back, cancelled or paid by a vault.

/** Stands in place of a vault's address: no vault pays an order that was exported like this. */
const byTreasury = 'treasury';

/** The fault of an order that waits for an export. */
const needsExport = 'An operator exports it, and pays it from the treasury';

const isExportable = `p.chain_id = $1 AND p.state = 'queued' AND p.exported_vault IS NULL AND p.used_up_by IS NULL`;

export async function plainExportable(reader: Reader, chainId: number): Promise<Exportable[]> {
  const { rows } = await reader.query<Exportable>(
    `SELECT p.asset, count(*)::float8 AS count, sum(p.units) AS units FROM evm_payouts p WHERE ${isExportable}
     GROUP BY p.asset ORDER BY p.asset`,
    [chainId],
  );
  return rows;
}

/** Exports what is queued, the oldest first. Null where there is nothing. */
export async function exportPlain(
  tx: Tx,
  { chainId, treasury }: { chainId: number; treasury: Hex },
  by: string,
  now: Date,
): Promise<string | null> {
  const orders = await lockOldest(tx, isExportable, [chainId]);
  return await writeExport(
    tx,
    { chainId, from: treasury, reserve: byTreasury, isPlain: true, by },
    orders,
    now,
  );
}

/** The orders of an export that are not paid yet, and the treasury that pays them; null: there are none. */
export async function plainOrders(
  reader: Reader,
  chainId: number,
  exportId: string,
): Promise<{ treasury: Hex; at: Date; orders: ExportedOrder[] } | null> {
  const { rows } = await reader.query<ExportedOrder & { treasury: Hex; exportedAt: Date }>(
    `SELECT p.id, p.vault_id AS "vaultId", p.asset, p.token, p.receiver, p.units, p.created_at AS at,
       e.vault AS treasury, e.created_at AS "exportedAt"
     FROM evm_exports e JOIN evm_payouts p ON p.export_id = e.id
     WHERE e.chain_id = $1 AND e.id = $2 AND e.is_plain AND p.state = 'queued'
     ORDER BY p.created_at, p.vault_id`,
    [chainId, exportId],
  );
  const [first] = rows;
  if (!first) return null;
  const orders = rows.map(({ treasury, exportedAt, ...order }) => order);
  return { treasury: first.treasury, at: first.exportedAt, orders };
}

/** Notes on orders that wait for an export that they do. */
export async function noteNeedsExport(reader: Reader, chainId: number): Promise<void> {
  await reader.query(
    `UPDATE evm_payouts p SET fault = $2 WHERE ${isExportable} AND fault IS DISTINCT FROM $2`,
    [chainId, needsExport],
  );
}

/** Which exported order a transfer paid: the first of those that match. */
export type PlainPayment = { order: string; transaction: string; ledgerId: string };

/** Notes that a final transfer of the treasury paid an order. */
export async function notePaid(tx: Tx, { order, transaction, ledgerId }: PlainPayment, now: Date) {
  await tx.query(
    `UPDATE evm_payouts SET state = 'paid', paid_by = $2, paid_move = $3, ended_at = $4, fault = NULL
     WHERE id = $1 AND state = 'queued' AND exported_vault = $5`,
    [order, transaction, ledgerId, now, byTreasury],
  );
}

/** Queues orders again whose transfers have left the chain. */
export async function noteUnpaid(tx: Tx, orders: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE evm_payouts SET state = 'queued', paid_by = NULL, paid_move = NULL, ended_at = NULL, fault = $2
     WHERE id = ANY ($1::uuid[]) AND state = 'paid' AND paid_move IS NOT NULL`,
    [orders, waitsForHand],
  );
}
