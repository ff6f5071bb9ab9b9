import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { lockAccounts } from '../../ledger/ledger.ts';
import { feeAccount } from '../../ledger/places.ts';
import { orderPayout } from '../../payouts/lifecycle/order.ts';
import type { Moved, Purpose } from '../../payouts/payout/purposes.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Decision, lockUnmatched, type UnmatchedRow, unmatchedAccount, unmatchedRef } from './assign.ts';

/**
 * Orders money that named no payment to be sent back, as a payout out of the suspense of its rail. Refuses `not_found`,
 * `refund_unsendable`, `stray_decided`, a field's fault where the rail takes no such order, and what `orderPayouts` does.
 */
export async function returnUnmatched(
  tx: Tx,
  deps: StateDeps,
  ledgerId: string,
  { to, memo, by }: { to: string; memo: string | null; by: Decision & { isConfirmed?: boolean } },
): Promise<UnmatchedRow> {
  const now = deps.now();
  const deposit = await lockUnmatched(tx, ledgerId);
  const { rail, mode, asset, units } = deposit;
  const sending = sendingFor(deps.sendings, mode, asset);
  if (sending?.rail !== rail) throw refuse(paymentErrors.refund_unsendable);
  if (deposit.state !== 'open') throw refuse(paymentErrors.stray_decided);
  const fault = sending.faultOf({ asset, to, memo });
  if (fault) throw invalid(fault.field, fault.why);
  const payout = await orderPayout(
    tx,
    deps,
    {
      ...{ owner: null, mode, purpose: 'unmatched_return', debit: unmatchedAccount(rail) },
      requester: {
        ...{ accountId: by.accountId, name: 'operator', limits: null },
        isConfirmed: by.isConfirmed ?? false,
      },
      ...{ isCharged: false, ownTime: now },
    },
    { asset: deps.assets.get(asset), units, to, memo, description: by.reason, causeId: ledgerId },
  );
  await tx.query(
    `UPDATE unmatched_deposits
     SET state = 'returning', send_id = $2, decided_at = $3, decided_by = $4, reason = $5, fault = NULL,
       sent_to = $6, sent_memo = $7
     WHERE ledger_id = $1`,
    [ledgerId, payout.id, now, by.accountId, by.reason, to, memo],
  );
  return deposit;
}

/** What becomes of unmatched deposits when the payouts that send them back move. */
export const unmatchedReturn: Purpose = {
  cause: 'stray_returned',
  async lockCauses(tx, ledgerIds) {
    const { rows } = await tx.query<Pick<UnmatchedRow, 'rail' | 'mode' | 'asset'>>(
      'SELECT rail, mode, asset FROM unmatched_deposits WHERE ledger_id = ANY ($1) ORDER BY ledger_id FOR UPDATE',
      [ledgerIds],
    );
    await lockAccounts(tx, rows.map(unmatchedRef));
  },
  async moved(tx, moved) {
    for (const { payout } of moved) await carryOn(tx, payout);
  },
  late: async (tx, { payout }) => ((await carryOnLate(tx, payout)) ? payout.debit : feeAccount),
};

/**
 * Takes that money left though its payout had ended: a deposit that waits again is returned by that. Where the money came
 * back the deposit waits once more. False where somebody decided otherwise meanwhile: then the operator's fees pay.
 */
async function carryOnLate(tx: Tx, payout: Moved['payout']): Promise<boolean> {
  const { id, causeId, status, transaction, to, memo, createdAt, requestedBy, description } = payout;
  if (status !== 'completed') {
    const { rowCount } = await tx.query('SELECT FROM unmatched_deposits WHERE send_id = $1', [id]);
    if (rowCount === 1) await carryOn(tx, payout);
    return rowCount === 1;
  }
  const { rowCount } = await tx.query(
    `UPDATE unmatched_deposits SET state = 'returned', send_id = $2, sent_transaction = $3, sent_to = $4, sent_memo = $5,
       decided_at = $6, decided_by = $7, reason = $8, fault = NULL
     WHERE ledger_id = $1 AND state = 'open'`,
    [causeId, id, transaction, to, memo, createdAt, requestedBy, description],
  );
  return rowCount === 1;
}

async function carryOn(tx: Tx, { id, status, transaction, failure }: Moved['payout']): Promise<void> {
  if (status === 'completed') {
    await tx.query(
      `UPDATE unmatched_deposits SET state = 'returned', sent_transaction = $2 WHERE send_id = $1`,
      [id, transaction],
    );
    return;
  }
  if (status === 'failed' || status === 'rejected' || status === 'cancelled') {
    // It is an open unmatched deposit again, shown with the reason.
    await tx.query(
      `UPDATE unmatched_deposits
       SET state = 'open', send_id = NULL, decided_at = NULL, decided_by = NULL, reason = NULL, fault = $2,
         sent_to = NULL, sent_memo = NULL
       WHERE send_id = $1`,
      [id, failure ?? `The return was ${status}`],
    );
    return;
  }
  await tx.query(
    `UPDATE unmatched_deposits SET state = 'returning', sent_transaction = NULL WHERE send_id = $1`,
    [id],
  );
}
