import type { Tx } from '../../kit/db/db.ts';
import type { Party } from '../../ledger/ledger.ts';
import type { Moved } from '../../payouts/payout/purposes.ts';
import { type ChangeDeps, changePayments } from '../settlement/changes.ts';
import { announceRefunded } from '../settlement/events.ts';
import { raiseVersion } from '../settlement/moves.ts';
import type { Refund } from '../settlement/refund.ts';
import { waitAgain } from '../settlement/refund-payouts.ts';

/**
 * Takes that a refund's money left though its payout had ended. A refund of the same amount that waits for its destination
 * again is completed by that; where none waits, because it was cancelled or sent anew, the business pays. Where the money
 * came back, the refund waits again. Returns the account that pays, or gets it back.
 */
export async function refundLate(tx: Tx, deps: ChangeDeps, { payout }: Moved): Promise<Party> {
  const business: Party = { kind: 'business', owner: payout.debit.owner };
  const { causeId } = payout;
  if (causeId === null) return business;
  return await changePayments(tx, deps, [causeId], (changes) => {
    const { to, memo, transaction, status } = payout;
    const refund = changes
      .refundsOf(causeId)
      .find((each) => (status === 'completed' ? isWaitingFor(each, payout) : each.payoutId === payout.id));
    // A cancelled one stays so: its parts were given back before.
    if (!refund || refund.status === 'cancelled') return business;
    if (status === 'completed') {
      const completedAt = refund.completedAt ?? deps.now();
      const paid = {
        ...refund,
        status,
        payoutId: payout.id,
        to,
        memo,
        transaction,
        failure: null,
        completedAt,
      };
      changes.changeRefund(paid);
      announceRefunded(changes, paid);
    } else waitAgain(changes, refund, payout.failure);
    raiseVersion(changes, causeId);
    return payout.debit;
  });
}

const isWaitingFor = (refund: Refund, { asset, units }: Moved['payout']): boolean =>
  refund.status === 'awaiting_destination' &&
  !refund.isDirect &&
  refund.asset === asset &&
  refund.units === units;
