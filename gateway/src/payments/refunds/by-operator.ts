import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { sendingFor } from '../../rails/sending-for.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { changePayments } from '../settlement/changes.ts';
import { businessShare, type Refund } from '../settlement/refund.ts';
import { refundIn } from './cancel.ts';
import { type Destination, sendRefunds } from './send.ts';

/** The operator who orders. */
export type Operator = { accountId: string; name: string; isConfirmed?: boolean };

/**
 * Orders a refund that waits for its customer to be sent where an operator says. Where it is the business's money, the
 * business approves it. Refuses `not_found`, `refund_closed`, `refund_unsendable`, and a field's fault where the rail takes
 * no such order.
 */
export async function orderOwedRefund(
  tx: Tx,
  deps: StateDeps,
  id: string,
  { destination, by }: { destination: Destination; by: Operator },
): Promise<{ payment: Payment; refund: Refund }> {
  const { rows } = await tx.query<{ payment_id: string }>(
    'SELECT payment_id FROM payment_refunds WHERE id = $1',
    [id],
  );
  const paymentId = rows[0]?.payment_id;
  if (paymentId === undefined) throw refuse(kitErrors.not_found);
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    const waiting = refundIn(changes, paymentId, id);
    const { mode } = changes.payment(paymentId);
    const sending = sendingFor(deps.sendings, mode, waiting.asset);
    if (!sending) throw refuse(paymentErrors.refund_unsendable);
    if (waiting.status !== 'awaiting_destination') throw refuse(paymentErrors.refund_closed);
    const fault = sending.faultOf({ asset: waiting.asset, ...destination });
    if (fault) throw invalid(fault.field, fault.why);
    await changes.lockMoney(new Map([[paymentId, [waiting.asset]]]));
    // The merchant does not approve what is the customer's own; who made a refund of the business's money never approves it.
    const approval = businessShare(waiting.parts) === 0n ? 'never' : 'always';
    const [refund = waiting] = await sendRefunds(changes, paymentId, [waiting], {
      ...{ destination, isAnyAddress: true, approval, ownTime: deps.now() },
      requester: { ...by, accountId: waiting.madeBy ?? by.accountId, limits: null },
    });
    return { payment: changes.payment(paymentId), refund };
  });
}
