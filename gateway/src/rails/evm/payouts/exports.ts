import type { Reader, Tx } from '../../../kit/db/db.ts';
import { newId } from '../../../kit/ids.ts';
import { type Exportable, exportAtMost, type HandExport, type HandStanding } from '../../by-hand.ts';
import type { Hex } from '../config/chains.ts';
import type { VaultPayout } from './calls.ts';
import { canBePaidBy } from './orders.ts';

/** The fault of an exported order, in words. */
export const waitsForHand = 'Waits to be paid by hand';

/** A chain, and its vault as configured. */
export type VaultPlace = { chainId: number; vault: Hex };

const isExportable = `p.chain_id = $1 AND p.state = 'queued' AND ${canBePaidBy('$2')}`;

/** What an export would take now, by asset. */
export async function exportableOrders(
  reader: Reader,
  { chainId, vault }: VaultPlace,
): Promise<Exportable[]> {
  const { rows } = await reader.query<Exportable>(
    `SELECT p.asset, count(*)::float8 AS count, sum(p.units) AS units FROM evm_payouts p WHERE ${isExportable}
     GROUP BY p.asset ORDER BY p.asset`,
    [chainId, vault],
  );
  return rows;
}

/**
 * Locks the orders that match a condition, the oldest first, and returns their ids. It waits for the lock of the oldest one,
 * which a sender or another operator may hold, and skips others that are locked: so it never waits for a lock while it
 * holds another.
 */
export async function lockOldest(tx: Tx, condition: string, values: readonly unknown[]): Promise<string[]> {
  const oldest = `SELECT p.id FROM evm_payouts p WHERE ${condition} ORDER BY p.created_at, p.vault_id`;
  await tx.query(`${oldest} LIMIT 1 FOR UPDATE`, [...values]);
  const { rows } = await tx.query<{ id: string }>(`${oldest} LIMIT ${exportAtMost} FOR UPDATE SKIP LOCKED`, [
    ...values,
  ]);
  return rows.map(({ id }) => id);
}

/** Exports queued orders. Null where there is none. */
export async function exportOrders(
  tx: Tx,
  { chainId, vault }: VaultPlace,
  by: string,
  now: Date,
): Promise<string | null> {
  const orders = await lockOldest(tx, isExportable, [chainId, vault]);
  return await writeExport(tx, { chainId, from: vault, reserve: vault, isPlain: false, by }, orders, now);
}

export type ExportTerms = {
  chainId: number;
  /** What pays the orders: a vault or a treasury. */
  from: Hex;
  /** Written to each order, so that nothing else pays it. */
  reserve: string;
  /** Whether plain transfers pay them. */
  isPlain: boolean;
  /** Who exports, as people read it. */
  by: string;
};

/** Writes an export of locked orders. Returns its id; null where there are none. */
export async function writeExport(
  tx: Tx,
  { chainId, from, reserve, isPlain, by }: ExportTerms,
  orders: readonly string[],
  now: Date,
): Promise<string | null> {
  if (orders.length === 0) return null;
  const id = newId(now);
  await tx.query(
    `INSERT INTO evm_exports (id, chain_id, vault, exported_by, created_at, is_plain)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, chainId, from, by, now, isPlain],
  );
  await tx.query(
    'INSERT INTO evm_export_orders (export_id, order_id) SELECT $1, order_id FROM unnest($2::uuid[]) AS t (order_id)',
    [id, orders],
  );
  await tx.query(
    'UPDATE evm_payouts SET export_id = $1, exported_vault = $2, fault = $3 WHERE id = ANY ($4::uuid[])',
    [id, reserve, waitsForHand, orders],
  );
  return id;
}

type ExportRow = Omit<HandExport, 'canTakeBack' | 'canUseUp'> & {
  vault: Hex;
  is_plain: boolean;
  payable: number;
};

/**
 * The exports of a chain, the newest first; only the one with `id` where it is given. `vault`: the configured one, or
 * null. Only an export that calls it can be taken back.
 */
export async function readExports(
  reader: Reader,
  { chainId, vault }: { chainId: number; vault: Hex | null },
  { id, atMost }: { id?: string; atMost: number },
): Promise<HandExport[]> {
  const { rows } = await reader.query<ExportRow>(
    `SELECT e.id, e.exported_by AS by, e.created_at AS at, e.vault, e.is_plain, count(*)::float8 AS orders,
       count(*) FILTER (WHERE p.state = 'paid')::float8 AS paid,
       count(*) FILTER (WHERE p.state = 'queued' AND p.export_id = e.id AND p.used_up_by IS NULL)::float8 AS waiting,
       count(*) FILTER (WHERE p.state = 'queued' AND p.used_up_by IS NULL)::float8 AS payable
     FROM evm_exports e JOIN evm_export_orders o ON o.export_id = e.id JOIN evm_payouts p ON p.id = o.order_id
     WHERE e.chain_id = $1 AND ($2::uuid IS NULL OR e.id = $2)
     GROUP BY e.id ORDER BY e.id DESC LIMIT $3`,
    [chainId, id ?? null, atMost],
  );
  return rows.map(({ vault: called, is_plain: isPlain, payable, ...row }) => ({
    ...row,
    canTakeBack: row.waiting > 0 && !isPlain && called === vault,
    canUseUp: payable > 0 && !isPlain && vault !== null,
  }));
}

/** An order of an export, as its file has it. */
export type ExportedOrder = VaultPayout & { id: string; asset: string; token: Hex; at: Date };

/**
 * The orders of an export that wait to be paid by hand; or all that its file could still pay, whether they were taken
 * back or not.
 */
export async function exportedOrders(
  reader: Reader,
  chainId: number,
  exportId: string,
  which: 'waiting' | 'payable',
): Promise<{ vault: Hex; at: Date; orders: ExportedOrder[] } | null> {
  const { rows } = await reader.query<ExportedOrder & { vault: Hex; exportedAt: Date }>(
    `SELECT p.id, p.vault_id AS "vaultId", p.asset, p.token, p.receiver, p.units, p.created_at AS at, e.vault,
       e.created_at AS "exportedAt"
     FROM evm_exports e JOIN evm_export_orders o ON o.export_id = e.id JOIN evm_payouts p ON p.id = o.order_id
     WHERE e.chain_id = $1 AND e.id = $2 AND NOT e.is_plain AND p.state = 'queued' AND p.used_up_by IS NULL
       ${which === 'waiting' ? 'AND p.export_id = e.id' : ''}
     ORDER BY p.created_at, p.vault_id`,
    [chainId, exportId],
  );
  const [first] = rows;
  if (!first) return null;
  const orders = rows.map(({ vault, exportedAt, ...order }) => order);
  return { vault: first.vault, at: first.exportedAt, orders };
}

/**
 * Lets the signer pay the orders of an export that still wait, if its file calls this vault: a vault pays an id once, so
 * it does not matter who is first. Returns how many orders these are.
 */
export async function takeBackExport(
  tx: Tx,
  { chainId, vault }: VaultPlace,
  exportId: string,
  now: Date,
): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE evm_payouts p SET export_id = NULL, fault = NULL, retry_at = $4
     WHERE p.chain_id = $1 AND p.export_id = $3 AND p.exported_vault = $2 AND p.state = 'queued'
       AND p.used_up_by IS NULL`,
    [chainId, vault, exportId, now],
  );
  return rowCount ?? 0;
}

/** Those of the orders that were ever exported, or whose ids are used up. */
export async function handStandings(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, HandStanding>> {
  const { rows } = await reader.query<HandStanding & { id: string }>(
    `SELECT id, export_id AS "exportId", used_up_by IS NOT NULL AS "isUsedUp" FROM evm_payouts
     WHERE id = ANY ($1::uuid[]) AND (exported_vault IS NOT NULL OR used_up_by IS NOT NULL)`,
    [ids],
  );
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}
