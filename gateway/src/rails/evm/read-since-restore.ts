import type { Reader, Tx } from '../../kit/db/db.ts';

/** To be called after a database was loaded from a backup: up to where its chains had been read no longer counts. */
export async function forgetChainReadings(tx: Tx): Promise<void> {
  await tx.query('UPDATE evm_chains SET read_head = NULL, read_head_at = NULL');
}

// A head that was learned after the restore is above everything that was paid before it. A chain does not count while a
// move to the operator is only seen, since it may still go, or has gone from a block that is not final yet, since it may
// be mined again.
const readChainsSql = `
SELECT 'evm:' || c.chain_id AS rail FROM evm_chains c
WHERE c.read_head IS NOT NULL AND c.read_head_at >= $1 AND c.unconfirmed = '[]'
  AND NOT EXISTS (SELECT FROM evm_transfers t WHERE t.chain_id = c.chain_id AND t.kind = 'move' AND (
    t.unreported OR (t.target = 'operator'
      AND (t.state = 'seen' OR (t.state = 'gone' AND t.block_number > coalesce(c.final_number, 0))))))`;

/**
 * The chains of which every outgoing move is booked up to a head that two endpoints (or the only one) knew after
 * `forgetChainReadings`, and whose block is not older than `notBefore`.
 */
export async function chainsReadSince(reader: Reader, notBefore: Date): Promise<Set<string>> {
  const { rows } = await reader.query<{ rail: string }>(readChainsSql, [notBefore]);
  return new Set(rows.map(({ rail }) => rail));
}
