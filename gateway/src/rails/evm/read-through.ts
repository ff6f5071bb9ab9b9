import type { Reader } from '../../kit/db/db.ts';

/**
 * Up to which time each of these chains was read for a payment: whatever they took by then was told to it, and that
 * it left them again. A chain of which nothing is certain is left out.
 */
export async function evmReadThrough(
  reader: Reader,
  paymentId: string,
  chainIds: readonly number[],
): Promise<Map<number, Date>> {
  // Cursor and transfers are written together, so one look at both is true.
  const { rows } = await reader.query<{ chain_id: number; through: Date }>(
    `SELECT c.chain_id::integer AS chain_id, least(c.read_through, (
       SELECT min(coalesce(t.block_at, t.seen_at)) - interval '1 millisecond' FROM evm_transfers t
       WHERE t.payment_id = $1 AND t.chain_id = c.chain_id AND t.unreported AND t.kind = 'deposit'
         AND (t.state = 'gone') <> (coalesce(t.reported_state, 'gone') = 'gone'))) AS through
     FROM evm_chains c WHERE c.chain_id = ANY ($2) AND c.read_through IS NOT NULL`,
    [paymentId, chainIds],
  );
  return new Map(rows.map(({ chain_id, through }) => [chain_id, through]));
}
