import type { Reader, Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { treasuryErrors } from './errors.ts';
import { isUnordered, matchOrders } from './orders.ts';

/** Notes that the database was loaded at `at` from a backup of `backupAt`; the caller stops payouts. */
export async function noteRestore(tx: Tx, { backupAt, at }: { backupAt: Date; at: Date }): Promise<void> {
  await tx.query('INSERT INTO treasury_restores (restored_at, backup_at) VALUES ($1, $2)', [at, backupAt]);
}

/** The newest restore up to a time, null: up to now. */
export async function restoreBefore(
  reader: Reader,
  at: Date | null,
): Promise<{ restored_at: Date; backup_at: Date } | null> {
  const { rows } = await reader.query<{ restored_at: Date; backup_at: Date }>(
    `SELECT restored_at, backup_at FROM treasury_restores WHERE $1::timestamptz IS NULL OR restored_at <= $1
     ORDER BY restored_at DESC LIMIT 1`,
    [at],
  );
  return rows[0] ?? null;
}

/**
 * Throws `restore_open`, with the reasons, while something that left after a backup may be unknown or nobody's; else
 * notes that payouts go on. To be called in the transaction that lets them go on.
 */
export async function endRestore(tx: Tx): Promise<void> {
  await matchOrders(tx);
  const reasons = await restoreReasons(tx);
  if (reasons.length > 0) throw refuse(treasuryErrors.restore_open, { why: reasons.join('; ') });
  await tx.query('UPDATE treasury_restores SET lifted_at = now() WHERE lifted_at IS NULL');
}

/** What keeps payouts stopped after a restore, in words; empty: nothing, or there was no restore. */
export async function restoreReasons(reader: Reader): Promise<string[]> {
  const { rows } = await reader.query<{ backup_at: Date; restored_at: Date }>(
    `SELECT min(backup_at) AS backup_at, max(restored_at) AS restored_at FROM treasury_restores
     WHERE lifted_at IS NULL HAVING count(*) > 0`,
  );
  const [open] = rows;
  if (!open) return [];
  const unread = await unreadRails(reader, open.restored_at);
  const { rows: counts } = await reader.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM treasury_moves m WHERE ${isUnordered} AND m.at >= $1`,
    [open.backup_at],
  );
  const left = counts[0]?.count ?? 0;
  return [
    ...unread.map((rail) => `${rail} has not been read up to the restore yet`),
    ...(left > 0 ? [`transfers that left since the backup and are nobody's yet: ${left}`] : []),
  ];
}

/**
 * The networks with live money of which something up to that time may not have been read, or not booked. One that was
 * taken out of the configuration has none: see operations/kept-assets.ts.
 */
async function unreadRails(reader: Reader, at: Date): Promise<string[]> {
  const { rows } = await reader.query<{ rail: string }>(
    `WITH used AS (
       SELECT DISTINCT asset FROM ledger_accounts WHERE stored AND mode = 'live' AND balance <> 0
     )
     SELECT 'evm:' || c.chain_id AS rail FROM evm_chains c
     WHERE c.verified_assets && ARRAY(SELECT asset FROM used) AND (
       c.read_through IS NULL OR c.read_through < $1
       OR EXISTS (SELECT FROM evm_transfers t
                  WHERE t.chain_id = c.chain_id AND t.state = 'seen' AND t.kind = 'move' AND t.block_at <= $1)
       OR EXISTS (SELECT FROM evm_transfers t
                  WHERE t.chain_id = c.chain_id AND t.unreported AND t.kind = 'move'))
     UNION ALL
     SELECT 'pi' FROM pi_accounts WHERE EXISTS (SELECT FROM used WHERE asset = 'pi')
     HAVING count(*) > 0 AND coalesce(max(compared_through) < $1, true)
     ORDER BY 1`,
    [at],
  );
  return rows.map(({ rail }) => rail);
}
