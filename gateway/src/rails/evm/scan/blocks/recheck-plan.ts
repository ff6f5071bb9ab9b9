import type { Reader } from '../../../../kit/db/db.ts';
import type { Hex } from '../../config/chains.ts';
import { keyOf, type TransferKey } from './match.ts';

/** A transfer that an endpoint showed, by its logs or by a receipt. */
export type ShownTransfer = TransferKey & { blockNumber: bigint; transaction: Hex };

/**
 * Makes the scanner of a chain read a block again, from `due` on, because it may have missed a transfer of it. A
 * block that it has not reached yet is read anyway. `shown`: transfers of it that an endpoint showed. The block, and
 * the receipts of these transactions, are read again until they are final, or until the tries are used up.
 */
export async function planRecheck(
  reader: Reader,
  chainId: number,
  { blockNumber, due, shown = [] }: { blockNumber: bigint; due: Date; shown?: readonly ShownTransfer[] },
): Promise<void> {
  await reader.query(
    `INSERT INTO evm_rechecks AS r (chain_id, block_number, due_at, expects, transactions) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (chain_id, block_number) DO UPDATE SET due_at = least(r.due_at, excluded.due_at),
       expects = ARRAY(SELECT unnest(r.expects) UNION SELECT unnest(excluded.expects)),
       transactions = ARRAY(SELECT unnest(r.transactions) UNION SELECT unnest(excluded.transactions))`,
    [chainId, blockNumber, due, shown.map(keyOf), [...new Set(shown.map(({ transaction }) => transaction))]],
  );
}

/** Plans a recheck of the blocks of transfers that one endpoint showed and that are not noted. */
export async function planMissed(
  reader: Reader,
  chainId: number,
  missed: readonly ShownTransfer[],
  due: Date,
): Promise<void> {
  for (const [blockNumber, shown] of Map.groupBy(missed, ({ blockNumber }) => blockNumber)) {
    await planRecheck(reader, chainId, { blockNumber, due, shown });
  }
}
