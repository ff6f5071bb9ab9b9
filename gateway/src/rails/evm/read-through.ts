import type { Reader } from '../../kit/db/db.ts';

/**
 * The time up to which each of these chains was read for a payment: every transfer that they took by then, and every
 * one that left them, has been reported. A chain of which nothing is certain is left out.
 */
export async function evmReadThrough(
  reader: Reader,
  paymentId: string,
  chainIds: readonly number[],
): Promise<Map<number, Date>> {
  // Cursor and transfers are written in one transaction, so one statement sees both as they belong together.
  const { rows } = await reader.query<{ chain_id: number; through: Date }>(
    `SELECT c.chain_id::integer AS chain_id, least(c.read_through, (
       SELECT min(least(t.block_at, t.seen_at)) - interval '1 millisecond' FROM evm_transfers t
       WHERE t.owner_id = $1 AND t.chain_id = c.chain_id AND t.unreported AND t.kind = 'deposit'
         AND (t.state = 'gone') <> (coalesce(t.reported_state, 'gone') = 'gone'))) AS through
     FROM evm_chains c WHERE c.chain_id = ANY ($2) AND c.read_through IS NOT NULL`,
    [paymentId, chainIds],
  );
  return new Map(rows.map(({ chain_id, through }) => [chain_id, through]));
}

/** The newest block of a chain that was read; null: none. */
export async function newestBlock(reader: Reader, chainId: number): Promise<bigint | null> {
  const { rows } = await reader.query<{ seen_number: bigint | null }>(
    'SELECT seen_number FROM evm_chains WHERE chain_id = $1',
    [chainId],
  );
  return rows[0]?.seen_number ?? null;
}
