import type { Tx } from '../../../kit/db/db.ts';
import { reasons } from './calls.ts';
import { isLeftOutSql } from './events.ts';
import { waitsForHand } from './exports.ts';

// Writes to orders what follows from the events of the vault. Every statement may run again.

/**
 * Marks orders with a final `Paid` event as paid, even where they had ended, and undoes that where the event has gone.
 * Returns the orders that were paid after they had ended.
 */
export async function settleOrders(
  tx: Tx,
  chainId: number,
  vaultIds: readonly bigint[],
  now: Date,
): Promise<string[]> {
  if (vaultIds.length === 0) return [];
  const ids = vaultIds.map((id) => `${id}`);
  const { rows } = await tx.query<{ id: string; was_ended: boolean }>(
    `UPDATE evm_payouts p SET state = 'paid', paid_by = e.transaction, fault = NULL, ended_at = $3,
       used_up_by = NULL, was_ended = p.state IN ('failed', 'cancelled')
     FROM evm_vault_events e
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.state <> 'paid'
       AND e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.kind = 'paid' AND e.state = 'final'
       AND e.token = p.token AND e.receiver = p.receiver AND e.units = p.units
     RETURNING p.id, p.was_ended`,
    [chainId, ids, now],
  );
  await tx.query(
    `UPDATE evm_payouts p SET paid_by = NULL, was_ended = false,
       ended_at = CASE WHEN p.was_ended THEN p.ended_at END,
       state = CASE WHEN p.was_ended THEN 'failed' WHEN p.transaction_id IS NULL OR p.export_id IS NOT NULL THEN 'queued' ELSE 'signed' END,
       fault = CASE WHEN p.was_ended THEN $4 WHEN p.export_id IS NOT NULL THEN $3 END
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.state = 'paid'
       AND NOT EXISTS (SELECT FROM evm_vault_events e
                       WHERE e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.kind = 'paid'
                         AND e.state = 'final' AND e.token = p.token AND e.receiver = p.receiver
                         AND e.units = p.units)`,
    [chainId, ids, waitsForHand, endedAgain],
  );
  await settleUnpaid(tx, chainId, ids);
  // An order whose `Refused` event has gone was not refused.
  await tx.query(
    `UPDATE evm_payouts p SET was_refused = false
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.was_refused
       AND NOT EXISTS (SELECT FROM evm_vault_events e
                       WHERE e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.kind = 'refused'
                         AND e.state = 'final')`,
    [chainId, ids],
  );
  return rows.flatMap(({ id, was_ended }) => (was_ended ? [id] : []));
}

/** The fault of an order that had ended before it was paid, and whose payment has left the chain. */
const endedAgain = 'It had ended before it was paid, and that has left the chain';

/** The fault of an order that nothing can pay any more. */
const usedUp = 'The vault has used its id up, so nothing can pay it any more: it can be cancelled';
const refused = `${waitsForHand}: the vault refused it, for want of balance or because of the token`;

/** Notes what the vault did with the ids of unpaid orders: it used them up for something else, or refused them by hand. */
async function settleUnpaid(tx: Tx, chainId: number, ids: readonly string[]): Promise<void> {
  // A final payment under the id of an unpaid order had another content. It counts only for the vault of the order. Our
  // own transactions always have the order's content: an event of theirs with another one was read wrong, and is read
  // again.
  const spent = `e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.kind = 'paid' AND e.state = 'final'
         AND e.vault = coalesce(p.exported_vault, e.vault)
         AND NOT EXISTS (SELECT FROM evm_transactions t WHERE t.chain_id = p.chain_id AND t.hash = e.transaction
                         AND t.kind = 'payout' AND p.id::text = ANY (t.payments))`;
  await tx.query(
    `UPDATE evm_payouts p SET used_up_by = e.transaction, said_paid = false,
       fault = CASE WHEN p.state = 'queued' THEN $3 END
     FROM evm_vault_events e
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.state IN ('queued', 'signed')
       AND p.used_up_by IS NULL AND ${spent}`,
    [chainId, ids, usedUp],
  );
  await tx.query(
    `UPDATE evm_payouts p SET used_up_by = NULL, fault = CASE WHEN p.export_id IS NOT NULL THEN $3 END
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.state IN ('queued', 'signed')
       AND p.used_up_by IS NOT NULL AND NOT EXISTS (SELECT FROM evm_vault_events e WHERE ${spent})`,
    [chainId, ids, waitsForHand],
  );
  await tx.query(
    `UPDATE evm_payouts p SET fault = $3 FROM evm_vault_events e
     WHERE p.chain_id = $1 AND p.vault_id = ANY ($2::numeric[]) AND p.state = 'queued' AND p.export_id IS NOT NULL
       AND p.used_up_by IS NULL AND e.chain_id = p.chain_id AND e.vault_id = p.vault_id AND e.kind = 'refused'
       AND e.state = 'final' AND e.vault = p.exported_vault`,
    [chainId, ids, refused],
  );
}

const openedSql = `state = 'sent', hash = NULL, block_number = NULL, succeeded = NULL, gas_used = NULL,
       gas_price = NULL, overtaken_at = NULL, settled_at = NULL, fault = NULL, reopened = true`;

/** Puts transactions above a block under way again: their blocks may have left the chain. */
export async function reopen(tx: Tx, chainId: number, number: bigint): Promise<void> {
  await tx.query(
    `UPDATE evm_transactions SET ${openedSql}
     WHERE chain_id = $1 AND kind = 'payout' AND state IN ('final', 'failed') AND block_number > $2`,
    [chainId, number],
  );
}

/**
 * Puts transactions up to block `read` under way again that have no event for one of their orders: their block may have
 * left the chain before its events were read.
 */
export async function reopenLeftOut(tx: Tx, chainId: number, read: bigint): Promise<void> {
  await tx.query(
    `UPDATE evm_transactions t SET ${openedSql}
     WHERE t.chain_id = $1 AND t.kind = 'payout' AND t.state = 'final' AND t.block_number <= $2
       AND EXISTS (SELECT FROM evm_payouts p WHERE p.transaction_id = t.id AND p.state = 'signed' AND ${isLeftOutSql})`,
    [chainId, read],
  );
}

const firstPauseSeconds = 10;
const longestPauseSeconds = 3600;

/** How long a refused order waits until the next try; `tries` is a column. */
const pauseSql = `least(${longestPauseSeconds}, ${firstPauseSeconds} * 2 ^ least(p.tries, 12)) * interval '1 second'`;

/**
 * Queues signed orders again that their transaction did not pay: it has ended in a block up to which the events were
 * read. A transaction that was not reverted has an event for each order: while one is missing, endpoints left it out,
 * and the order stays signed.
 */
export async function releaseUnpaid(tx: Tx, chainId: number, read: bigint, now: Date): Promise<void> {
  await tx.query(
    `WITH ended AS (
       SELECT p.id, t.state, e.reason, EXISTS (
         SELECT FROM evm_vault_events other
         WHERE other.chain_id = p.chain_id AND other.transaction = t.hash AND other.token = p.token
           AND other.kind = 'paid' AND other.state = 'final') AS others_passed
       FROM evm_payouts p JOIN evm_transactions t ON t.id = p.transaction_id
       LEFT JOIN evm_vault_events e ON e.chain_id = p.chain_id AND e.transaction = t.hash
         AND e.vault_id = p.vault_id AND e.kind = 'refused' AND e.state = 'final'
         AND e.token = p.token AND e.receiver = p.receiver AND e.units = p.units
       WHERE p.chain_id = $1 AND p.state = 'signed' AND t.state IN ('final', 'failed', 'replaced')
         AND coalesce(t.block_number, t.overtaken_at) <= $2
         AND (t.state <> 'final' OR e.reason IS NOT NULL)
       FOR UPDATE OF p
     )
     UPDATE evm_payouts p SET state = 'queued', tries = p.tries + 1, retry_at = $3::timestamptz + ${pauseSql},
       was_refused = coalesce(ended.reason IN ($5, '0x00000000'), false) AND ended.others_passed,
       fault = CASE WHEN ended.state = 'replaced' THEN 'Another program used the nonce of its transaction'
                    WHEN ended.reason IS NULL THEN 'Its transaction was reverted'
                    WHEN ended.reason = $4 THEN 'The limit of the vault was reached before it'
                    WHEN ended.reason = $6 THEN 'The vault has paid its id before'
                    ELSE 'The token refused it' END
     FROM ended WHERE ended.id = p.id`,
    [chainId, read, now, reasons.limitReached, reasons.transferFailed, reasons.alreadyPaid],
  );
}
