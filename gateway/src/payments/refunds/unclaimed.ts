import { after } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockMoney, lockPayment } from '../settlement/locks.ts';
import { findRefund } from '../settlement/refund.ts';
import { endUnsent } from '../settlement/refund-money.ts';

const unclaimedSeconds = 180 * 24 * 3600;
const atOnce = 50;

/**
 * Ends refunds out of a business balance that nobody claimed for 180 days: the business has its part again. What is the
 * customer's own stays owed. Returns how many ended.
 */
export async function endUnclaimed(db: Database, deps: StateDeps): Promise<number> {
  const now = deps.now();
  const { rows } = await db.query<{ id: string; payment_id: string }>(
    `SELECT id, payment_id FROM payment_refunds
     WHERE status = 'awaiting_destination' AND from_business + from_fees > 0 AND created_at < $1
     ORDER BY id LIMIT $2`,
    [after(now, -unclaimedSeconds), atOnce],
  );
  for (const { id, payment_id } of rows) {
    await transaction(db, async (tx) => {
      const payment = await lockPayment(tx, payment_id);
      const refund = await findRefund(tx, payment.id, id);
      if (refund?.status !== 'awaiting_destination') return;
      await lockMoney(tx, [{ payment, assets: [refund.asset] }]);
      await endUnsent(tx, deps, payment, refund, 'Nobody claimed it for 180 days', now);
      await tx.query('UPDATE payments SET version = version + 1 WHERE id = $1', [payment.id]);
    });
  }
  return rows.length;
}
