import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { changePayments } from './changes.ts';
import { shortfallOf } from './decide.ts';
import { bringUpToDate, factsOf, raiseVersion } from './moves.ts';

/**
 * The customer says that what came is enough: the payment's deadline is now. What follows is what follows at any deadline,
 * so that what a chain took before this moment counts, although it is read later. It does nothing to a payment that is
 * completed, or whose deadline has passed. Refuses `not_possible` while something that came is not final, or where more is
 * missing than may be.
 */
export async function acceptShort(tx: Tx, deps: StateDeps, paymentId: string): Promise<void> {
  const now = deps.now();
  await changePayments(tx, deps, [paymentId], async (changes) => {
    await bringUpToDate(changes, paymentId, now);
    const payment = changes.payment(paymentId);
    if (payment.status === 'completed') return;
    const facts = factsOf(deps.assets, payment, changes.transfersOf(paymentId));
    const { isTolerated, isFinal } = shortfallOf(facts, payment.deadline);
    if (!isTolerated || !isFinal) throw refuse(paymentErrors.not_possible, { status: payment.status });
    if (now >= payment.deadline) return;
    changes.changePayment({ ...payment, deadline: now });
    raiseVersion(changes, paymentId);
    await bringUpToDate(changes, paymentId, now);
  });
}
