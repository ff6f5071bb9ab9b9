import type { Reader, Tx } from '../../kit/db/db.ts';

/** To be called when a database was loaded from a backup: nothing that its chains were read to counts from now on. */
export async function forgetChainReadings(tx: Tx): Promise<void> {
  await tx.query('UPDATE evm_chains SET read_head = NULL, read_head_at = NULL');
}

// A head that was learned after the restore is above all that was paid before it. Of what left, a row that is not final
// yet may still go, and one that has gone may come in another block up to the end of the chain that is final.
const readChainsSql = `
SELECT 'evm:' || c.chain_id AS rail FROM evm_chains c
WHERE c.read_head IS NOT NULL AND c.read_head_at >= $1 AND c.unconfirmed = '[]'
  AND NOT EXISTS (SELECT FROM evm_transfers t WHERE t.chain_id = c.chain_id AND t.kind = 'move' AND (
    t.unreported OR (t.target = 'operator'
      AND (t.state = 'seen' OR (t.state = 'gone' AND t.block_number > coalesce(c.final_number, 0))))))`;

/**
 * The chains of which everything is booked that left up to a head which two endpoints knew since `forgetChainReadings`
 * (or the only one), and whose block is not older than `notBefore`.
 */
export async function chainsReadSince(reader: Reader, notBefore: Date): Promise<Set<string>> {
  const { rows } = await reader.query<{ rail: string }>(readChainsSql, [notBefore]);
  return new Set(rows.map(({ rail }) => rail));
}
