import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { newId } from '../../kit/ids.ts';
import { endHold, placeHold } from '../../ledger/ledger.ts';
import type { Outflow, Sending } from '../../rails/rail.ts';
import { paymentErrors } from '../errors.ts';
import { lockPayment } from '../locks.ts';
import type { Payment } from '../payment.ts';
import type { RefundState } from '../refunds.ts';

export type SentTo = { to: string; memo: string | null };

type OwedRow = { payment_id: string; rail: string; asset: string; units: bigint; state: RefundState };

export type OrderedRefund = { payment: Payment; asset: string; units: bigint };

/**
 * Orders a refund that is owed to be sent by its rail: what is owed is held until the rail reports the outcome.
 * Throws `not_found`, `refund_unsendable`, `refund_closed`, and a field's refusal where the rail takes no such order.
 */
export async function orderRefund(
  tx: Tx,
  sendings: readonly Sending[],
  id: string,
  { to, memo }: SentTo,
  now: Date,
): Promise<OrderedRefund> {
  const { payment_id } = await findRefund(tx, id);
  // Payments are locked before what belongs to them, as everywhere.
  const payment = await lockPayment(tx, payment_id);
  const { rail, asset, units, state } = await findRefund(tx, id, 'FOR UPDATE');
  const sending = sendings.find((each) => each.rail === rail);
  if (!sending) throw refuse(paymentErrors.refund_unsendable);
  if (state !== 'requested') throw refuse(paymentErrors.refund_closed);
  const fault = sending.faultOf({ to, memo });
  if (fault) throw invalid(fault.field, fault.why);

  const sendId = newId(now);
  await placeHold(
    tx,
    {
      id: sendId,
      mode: payment.mode,
      asset,
      units,
      debit: { kind: 'payable', owner: payment.integrationId },
      credit: { kind: 'external', owner: rail },
      cause: 'refund_sent',
      causeId: payment.id,
    },
    now,
  );
  await tx.query(
    `UPDATE payment_refunds
     SET state = 'sending', send_id = $2, destination = $3, memo = $4, ordered_at = $5, fault = NULL
     WHERE id = $1`,
    [id, sendId, to, memo, now],
  );
  await sending.order(tx, { id: sendId, asset, units, to, memo });
  return { payment, asset, units };
}

async function findRefund(tx: Tx, id: string, lock: '' | 'FOR UPDATE' = ''): Promise<OwedRow> {
  const { rows } = await tx.query<OwedRow>(
    `SELECT payment_id, rail, asset, units, state FROM payment_refunds WHERE id = $1 ${lock}`,
    [id],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  return row;
}

/** Books a refund that was seen to leave: the customer has it. False for an order that is no refund's. */
export async function settleRefund(
  tx: Tx,
  { sendId, transaction }: Pick<Outflow, 'transaction'> & { sendId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await tx.query<{ state: RefundState }>(
    'SELECT state FROM payment_refunds WHERE send_id = $1 FOR UPDATE',
    [sendId],
  );
  if (!rows[0]) return false;
  // Reported twice it is booked once.
  if (rows[0].state !== 'sending') return true;
  if (!(await endHold(tx, sendId, 'posted', now))) throw new Error(`Refund ${sendId} has no hold`);
  await tx.query(
    `UPDATE payment_refunds SET state = 'sent', transaction = $2, sent_at = $3 WHERE send_id = $1`,
    [sendId, transaction, now],
  );
  return true;
}

/** Takes a refund back that its rail will never send: it is owed as before, and shown with the reason. */
export async function failRefund(tx: Tx, sendId: string, why: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE payment_refunds SET state = 'requested', fault = $2 WHERE send_id = $1 AND state = 'sending'`,
    [sendId, why],
  );
  if (rowCount !== 1) return false;
  if (!(await endHold(tx, sendId, 'voided', now))) throw new Error(`Refund ${sendId} has no hold`);
  return true;
}
