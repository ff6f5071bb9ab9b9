import type { Reader, Tx } from '../../../kit/db/db.ts';
import type { VaultEvent } from './calls.ts';

/** The ids whose events changed. */
type Changed = bigint[];

/**
 * Notes the events of a window of final blocks: those that were noted of it and are not among them are gone. Returns
 * the ids of all that changed.
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
  return [...gone.rows.map(({ vault_id }) => vault_id), ...(await noteEvents(tx, chainId, events))];
}

/**
 * Adds events of final blocks to those that are noted. A log that is noted already gets the content that was read now.
 * Returns the ids of the events, and those that the logs had before.
 */
export async function noteEvents(tx: Tx, chainId: number, events: readonly VaultEvent[]): Promise<Changed> {
  const changed = events.map(({ vaultId }) => vaultId);
  for (const each of events) {
    const { rows } = await tx.query<{ before: bigint | null }>(
      `WITH old AS (
         SELECT vault_id FROM evm_vault_events WHERE chain_id = $1 AND block_hash = $2 AND log_index = $3
       )
       INSERT INTO evm_vault_events (chain_id, block_hash, log_index, block_number, transaction, vault, kind, vault_id,
         token, receiver, units, reason, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'final')
       ON CONFLICT (chain_id, block_hash, log_index) DO UPDATE SET state = 'final', transaction = excluded.transaction,
         vault = excluded.vault, kind = excluded.kind, vault_id = excluded.vault_id, token = excluded.token,
         receiver = excluded.receiver, units = excluded.units, reason = excluded.reason
       RETURNING (SELECT vault_id FROM old) AS before`,
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
    changed.push(...rows.flatMap(({ before }) => before ?? []));
  }
  return changed;
}

/** Notes that events above a block are gone; those that are still on the chain are read again. Returns their ids. */
export async function noteGoneAbove(tx: Tx, chainId: number, number: bigint): Promise<Changed> {
  const { rows } = await tx.query<{ vault_id: bigint }>(
    `UPDATE evm_vault_events SET state = 'gone' WHERE chain_id = $1 AND block_number > $2 AND state = 'final'
     RETURNING vault_id`,
    [chainId, number],
  );
  return rows.map(({ vault_id }) => vault_id);
}

/** Whether transaction `t` has no event of its order `p`. An event with another content does not count: it was read wrong. */
export const isLeftOutSql = `NOT EXISTS (
  SELECT FROM evm_vault_events e
  WHERE e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.transaction = t.hash AND e.state = 'final'
    AND e.token = p.token AND e.receiver = p.receiver AND e.units = p.units)`;

/** What the vault must have done up to block `read`, and no endpoint has shown. */
export type LeftOut = {
  /** The first block of a final transaction of ours that has no event for one of its orders; null: there is none. */
  firstBlock: bigint | null;
  /** Whether the vault said that it has paid an order of which no event is known. */
  isSaid: boolean;
};

/** Finds events that were left out: a transaction that was not reverted has one for each of its orders. */
export async function leftOut(reader: Reader, chainId: number, read: bigint): Promise<LeftOut> {
  const { rows } = await reader.query<LeftOut>(
    `SELECT min(t.block_number) FILTER (WHERE p.state = 'signed' AND t.state = 'final' AND ${isLeftOutSql}
         OR p.state = 'queued' AND p.said_paid) AS "firstBlock",
       EXISTS (SELECT FROM evm_payouts WHERE chain_id = $1 AND state = 'queued' AND said_paid) AS "isSaid"
     FROM evm_payouts p JOIN evm_transactions t ON t.id = p.transaction_id
     WHERE p.chain_id = $1 AND p.state IN ('queued', 'signed') AND t.block_number <= $2`,
    [chainId, read],
  );
  return rows[0] ?? { firstBlock: null, isSaid: false };
}
