import type { Reader, Tx } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { chainsReadSince, forgetChainReadings } from '../rails/evm/read-since-restore.ts';
import { forgetPiReadings, isPiReadSince } from '../rails/pi/read-since-restore.ts';
import { treasuryErrors } from './errors.ts';
import { isUnordered, matchOrders } from './orders.ts';

/**
 * Notes that the database was loaded at `at` from a backup of `backupAt`, and which moves without an owner the backup
 * knew; the caller stops payouts.
 */
export async function noteRestore(tx: Tx, { backupAt, at }: { backupAt: Date; at: Date }): Promise<void> {
  await tx.query(
    `INSERT INTO treasury_restores (restored_at, backup_at, known_moves)
     VALUES ($1, $2, ARRAY(SELECT m.ledger_id FROM treasury_moves m WHERE ${isUnordered}))`,
    [at, backupAt],
  );
  await forgetChainReadings(tx);
  await forgetPiReadings(tx);
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
 * Notes that payouts may go on after a restore. Throws `restore_open` with the reasons while money that left after the
 * backup may be unknown or not assigned. To be called in the transaction that lets payouts go on. `senders`: the rails
 * that send.
 */
export async function endRestore(tx: Tx, senders: readonly string[]): Promise<void> {
  await matchOrders(tx);
  const reasons = await restoreReasons(tx, senders);
  if (reasons.length > 0) throw refuse(treasuryErrors.restore_open, { why: reasons.join('; ') });
  await tx.query('UPDATE treasury_restores SET lifted_at = now() WHERE lifted_at IS NULL');
}

/** How far the clocks of chains and gateways may differ. A newest block that is older means that the chain was not read. */
const clocksApartMs = 2 * 3_600_000;

/** What keeps payouts stopped after a restore, in words; empty: nothing, or there was no restore. */
async function restoreReasons(reader: Reader, senders: readonly string[]): Promise<string[]> {
  const { rows } = await reader.query<{ restored_at: Date }>(
    `SELECT max(restored_at) AS restored_at FROM treasury_restores
     WHERE lifted_at IS NULL HAVING count(*) > 0`,
  );
  const [open] = rows;
  if (!open) return [];
  const unread = await unreadRails(reader, senders, new Date(open.restored_at.getTime() - clocksApartMs));
  // No clock says which of them left since the backup: those that the backup did not know.
  const { rows: counts } = await reader.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM treasury_moves m
     WHERE ${isUnordered} AND m.mode = 'live' AND EXISTS (
       SELECT FROM treasury_restores r
       WHERE r.lifted_at IS NULL AND NOT m.ledger_id = ANY (coalesce(r.known_moves, '{}')))`,
  );
  const left = counts[0]?.count ?? 0;
  return [
    ...unread.map((rail) => `${rail} has not been read up to the restore yet`),
    ...(left > 0 ? [`transfers that left since the backup and are nobody's yet: ${left}`] : []),
  ];
}

/**
 * The networks that send or have live money, and that were not read since the restore or have moves that are not booked
 * yet. A network that was removed from the configuration has no money: see operations/kept-assets.ts.
 */
async function unreadRails(reader: Reader, senders: readonly string[], notBefore: Date): Promise<string[]> {
  const { rows } = await reader.query<{ rail: string }>(
    `WITH used AS (
       SELECT DISTINCT asset FROM ledger_accounts WHERE stored AND mode = 'live' AND balance <> 0
     )
     SELECT unnest($1::text[]) AS rail
     UNION SELECT substring(owner FROM '^(?:pi|evm:[0-9]+)') FROM ledger_accounts
     WHERE kind = 'external' AND mode = 'live' AND owner ~ '^(pi|evm:[0-9]+)(:|$)'
       AND asset IN (SELECT asset FROM used)
     UNION SELECT 'evm:' || chain_id FROM evm_chains WHERE verified_assets && ARRAY(SELECT asset FROM used)
     UNION SELECT 'pi' FROM pi_accounts WHERE NOT is_test AND EXISTS (SELECT FROM used WHERE asset = 'pi')
     ORDER BY 1`,
    [senders],
  );
  const read = await chainsReadSince(reader, notBefore);
  if (await isPiReadSince(reader, notBefore)) read.add('pi');
  return rows.map(({ rail }) => rail).filter((rail) => !read.has(rail));
}
