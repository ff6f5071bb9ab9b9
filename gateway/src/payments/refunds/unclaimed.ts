import { after } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { StateDeps } from '../payment/state.ts';
import { changePayments } from '../settlement/changes.ts';
import { raiseVersion } from '../settlement/moves.ts';
import { cancelUnsent } from '../settlement/refund-money.ts';

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
    await transaction(db, (tx) =>
      changePayments(tx, deps, [payment_id], (changes) => {
        const refund = changes.refundsOf(payment_id).find((each) => each.id === id);
        if (refund?.status !== 'awaiting_destination') return;
        cancelUnsent(changes, refund, 'Nobody claimed it for 180 days');
        raiseVersion(changes, payment_id);
      }),
    );
  }
  return rows.length;
}
