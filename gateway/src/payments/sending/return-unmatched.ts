import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { newId } from '../../kit/ids.ts';
import { endHold, placeHold } from '../../ledger/ledger.ts';
import type { Outflow, Sending } from '../../rails/rail.ts';
import { paymentErrors } from '../errors.ts';
import { type Decision, lockUnmatched, type UnmatchedRow, unmatchedAccount } from '../unmatched/assign.ts';
import type { SentTo } from './send-refund.ts';

/**
 * Orders money that named no payment to be sent back by its rail; it is held until the rail reports the outcome.
 * Throws `not_found`, `refund_unsendable`, `stray_decided`, and a field's refusal where the rail takes no such order.
 */
export async function returnUnmatched(
  tx: Tx,
  sendings: readonly Sending[],
  ledgerId: string,
  { to, memo }: SentTo,
  by: Decision,
  now: Date,
): Promise<UnmatchedRow> {
  const deposit = await lockUnmatched(tx, ledgerId);
  const { rail, asset, units } = deposit;
  const sending = sendings.find((each) => each.rail === rail);
  if (!sending) throw refuse(paymentErrors.refund_unsendable);
  if (deposit.state !== 'open') throw refuse(paymentErrors.stray_decided);
  const fault = sending.faultOf({ to, memo });
  if (fault) throw invalid(fault.field, fault.why);

  const sendId = newId(now);
  const sides = { debit: unmatchedAccount(rail), credit: { kind: 'external', owner: rail } } as const;
  const cause = { cause: 'stray_returned', causeId: ledgerId };
  await placeHold(tx, { id: sendId, mode: 'live', asset, units, ...sides, ...cause }, now);
  await tx.query(
    `UPDATE unmatched_deposits
     SET state = 'returning', send_id = $2, decided_at = $3, decided_by = $4, reason = $5, fault = NULL,
       sent_to = $6, sent_memo = $7
     WHERE ledger_id = $1`,
    [ledgerId, sendId, now, by.accountId, by.reason, to, memo],
  );
  await sending.order(tx, { id: sendId, asset, units, to, memo });
  return deposit;
}

/** Books an unmatched deposit that was seen to leave again. Returns false for an order that sends no such deposit. */
export async function settleReturn(
  tx: Tx,
  { sendId, transaction }: Pick<Outflow, 'transaction'> & { sendId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await tx.query<{ state: UnmatchedRow['state'] }>(
    'SELECT state FROM unmatched_deposits WHERE send_id = $1 FOR UPDATE',
    [sendId],
  );
  if (!rows[0]) return false;
  // Reported twice it is booked once.
  if (rows[0].state === 'returned') return true;
  if (!(await endHold(tx, sendId, 'posted', now)))
    throw new Error(`The unmatched deposit of send ${sendId} has no hold`);
  await tx.query(
    `UPDATE unmatched_deposits SET state = 'returned', sent_transaction = $2 WHERE send_id = $1`,
    [sendId, transaction],
  );
  return true;
}

/** Its rail will never send it: it is an open unmatched deposit again, shown with the reason. */
export async function failReturn(tx: Tx, sendId: string, why: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE unmatched_deposits
     SET state = 'open', send_id = NULL, decided_at = NULL, decided_by = NULL, reason = NULL, fault = $2,
       sent_to = NULL, sent_memo = NULL
     WHERE send_id = $1 AND state = 'returning'`,
    [sendId, why],
  );
  if (rowCount !== 1) return false;
  if (!(await endHold(tx, sendId, 'voided', now)))
    throw new Error(`The unmatched deposit of send ${sendId} has no hold`);
  return true;
}
