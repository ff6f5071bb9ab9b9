import { afterCommit, type Tx } from '../../kit/db/db.ts';
import type { Party } from '../../ledger/ledger.ts';
import type { Moved } from '../../payouts/payout/purposes.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Refund, refundsOf, refundsOfPayouts } from '../settlement/refund.ts';
import { announceRefunded } from '../settlement/refund-events.ts';
import { noteChange, waitAgain } from './wait-again.ts';

type Deps = Pick<StateDeps, 'hints' | 'assets'>;

/**
 * A refund's money left though its payout had ended. The refund that waits for its destination again is done by that;
 * where none of the same amount waits, because it was cancelled or sent anew, the business pays. Where that came back,
 * the refund waits again. Returns who pays, or gets it back.
 */
export async function refundLate(tx: Tx, deps: Deps, { payout }: Moved, now: Date): Promise<Party> {
  const business: Party = { kind: 'business', owner: payout.debit.owner };
  const paymentId = payout.causeId;
  if (paymentId === null) return business;
  const refund =
    payout.status === 'completed'
      ? waitingFor(await refundsOf(tx, paymentId), payout)
      : (await refundsOfPayouts(tx, [payout.id])).get(payout.id);
  // One that was cancelled stays so: what it had was given back before.
  if (!refund || refund.status === 'cancelled') return business;
  if (payout.status === 'completed') {
    await tx.query(
      `UPDATE payment_refunds SET status = 'completed', payout_id = $2, destination = $3, memo = $4, transaction = $5,
         failure = NULL, completed_at = coalesce(completed_at, $6)
       WHERE id = $1`,
      [refund.id, payout.id, payout.to, payout.memo, payout.transaction, now],
    );
    await announceRefunded(tx, deps, { id: refund.paymentId }, refund, now);
  } else await waitAgain(tx, refund, payout.failure);
  await noteChange(tx, refund);
  afterCommit(tx, () => deps.hints.send('payment', paymentId));
  return payout.debit;
}

const waitingFor = (refunds: readonly Refund[], { asset, units }: Moved['payout']): Refund | undefined =>
  refunds.find(
    (each) => each.status === 'awaiting_destination' && each.asset === asset && each.units === units,
  );
