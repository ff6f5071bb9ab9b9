import type { Reader } from '../../../../kit/db/db.ts';
import { keyOf, type OurTransfer } from './match.ts';

/**
 * Makes the scanner of a chain read a block again, from `due` on, because it may have missed a transfer of it. A
 * block that it has not reached yet is read anyway. `expects`: keys of transfers that an endpoint showed. The block
 * is read again until they are noted, or until the tries are used up.
 */
export async function planRecheck(
  reader: Reader,
  chainId: number,
  blockNumber: bigint,
  due: Date,
  expects: readonly string[] = [],
): Promise<void> {
  await reader.query(
    `INSERT INTO evm_rechecks AS r (chain_id, block_number, due_at, expects) VALUES ($1, $2, $3, $4)
     ON CONFLICT (chain_id, block_number) DO UPDATE SET due_at = least(r.due_at, excluded.due_at),
       expects = ARRAY(SELECT unnest(r.expects) UNION SELECT unnest(excluded.expects))`,
    [chainId, blockNumber, due, expects],
  );
}

/** Plans it for the blocks of transfers that one endpoint showed and that are not noted. */
export async function planMissed(
  reader: Reader,
  chainId: number,
  missed: readonly OurTransfer[],
  due: Date,
): Promise<void> {
  for (const [block, transfers] of Map.groupBy(missed, ({ blockNumber }) => blockNumber)) {
    await planRecheck(reader, chainId, block, due, transfers.map(keyOf));
  }
}
