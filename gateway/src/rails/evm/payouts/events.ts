import type { Tx } from '../../../kit/db/db.ts';
import type { VaultEvent } from './calls.ts';

/** The ids whose events changed. */
type Changed = bigint[];

/**
 * Notes the events of final blocks in place of what was noted of them before: what is not among them is gone. Returns
 * the ids that either concerns.
 */
export async function noteWindow(
  tx: Tx,
  chainId: number,
  { after, to, events }: { after: bigint; to: bigint; events: readonly VaultEvent[] },
): Promise<Changed> {
  const keys = [events.map(({ blockHash }) => blockHash), events.map(({ logIndex }) => logIndex)];
  const gone = await tx.query<{ vault_id: bigint }>(
    `UPDATE evm_vault_events SET state = 'gone'
     WHERE chain_id = $1 AND block_number > $2 AND block_number <= $3 AND state = 'final'
       AND (block_hash, log_index) NOT IN (SELECT * FROM unnest($4::text[], $5::integer[]))
     RETURNING vault_id`,
    [chainId, after, to, ...keys],
  );
  for (const each of events) {
    await tx.query(
      `INSERT INTO evm_vault_events (chain_id, block_hash, log_index, block_number, transaction, vault, kind, vault_id,
         token, receiver, units, reason, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'final')
       ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE SET state = 'final'`,
      [
        chainId,
        each.blockHash,
        each.logIndex,
        each.blockNumber,
        each.transaction,
        each.vault,
        each.kind,
        each.vaultId,
        each.token,
        each.receiver,
        each.units,
        each.reason,
      ],
    );
  }
  return [...gone.rows.map(({ vault_id }) => vault_id), ...events.map(({ vaultId }) => vaultId)];
}

/** Events above a block are no longer final: what stays of them is read again. Returns their ids. */
export async function noteGoneAbove(tx: Tx, chainId: number, number: bigint): Promise<Changed> {
  const { rows } = await tx.query<{ vault_id: bigint }>(
    `UPDATE evm_vault_events SET state = 'gone' WHERE chain_id = $1 AND block_number > $2 AND state = 'final'
     RETURNING vault_id`,
    [chainId, number],
  );
  return rows.map(({ vault_id }) => vault_id);
}
