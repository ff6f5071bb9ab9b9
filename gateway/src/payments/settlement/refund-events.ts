import { afterCommit, type Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { decimalOf } from '../../money/money.ts';
import { recordEvents } from '../../webhooks/events/outbox.ts';
import { eventPayment, type Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import type { StateDeps } from '../payment/state.ts';
import type { Refund } from './refund.ts';

type EventDeps = Pick<StateDeps, 'hints' | 'assets'>;

/** Records an event of a refund among those of its payment, which is locked. Returns the payment as it then is. */
export async function recordRefundEvent(
  tx: Tx,
  { hints, assets }: EventDeps,
  payment: Pick<Payment, 'id'>,
  refund: Refund,
  type: 'refund_created' | 'refund_failed' | 'payment_refunded',
  now: Date,
): Promise<Payment> {
  const result = await tx.query<PaymentRow>(
    'UPDATE payments SET version = version + 1, event_sequence = event_sequence + 1 WHERE id = $1 RETURNING *',
    [payment.id],
  );
  const counted = paymentOf(oneRow(result, 'event of a refund'));
  const { id, asset, units } = refund;
  await recordEvents(tx, hints, [
    {
      integrationId: counted.integrationId,
      mode: counted.mode,
      type,
      sequence: counted.eventSequence,
      at: now,
      payment: eventPayment(counted),
      refund: { id, asset, amount: decimalOf(units, assets.get(asset).scale) },
    },
  ]);
  afterCommit(tx, () => hints.send('payment', counted.id));
  return counted;
}

/** Records the event that the money of a refund has left, once in its life. */
export async function announceRefunded(
  tx: Tx,
  deps: EventDeps,
  payment: Pick<Payment, 'id'>,
  refund: Refund,
  now: Date,
): Promise<void> {
  const { rowCount } = await tx.query(
    'UPDATE payment_refunds SET announced_at = $2 WHERE id = $1 AND announced_at IS NULL',
    [refund.id, now],
  );
  if (rowCount === 1) await recordRefundEvent(tx, deps, payment, refund, 'payment_refunded', now);
}
