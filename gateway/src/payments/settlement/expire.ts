import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import { shiftTestPaymentsSql } from '../payment/sql.ts';
import type { StateDeps } from '../payment/state.ts';
import { openChanges } from './changes.ts';
import { bringUpToDate } from './moves.ts';

const paymentsAtOnce = 100;

/**
 * Brings every payment up to date for which a time has come: a deadline, the end of a late window, the end
 * of the wait after a reorg. Returns how many; any number of processes may run it at once. Asked for one
 * integration it also waits for those that another process is just bringing up to date.
 */
export async function expireDue(
  db: Database,
  deps: StateDeps,
  integrationId: string | null = null,
): Promise<number> {
  const now = deps.now();
  let handled = 0;
  for (;;) {
    const count = await transaction(db, async (tx) => {
      const { rows } = await tx.query<PaymentRow>(
        `SELECT * FROM payments
         WHERE due_at <= $1 AND ($2::uuid IS NULL OR (integration_id = $2 AND mode = 'test'))
         ORDER BY ${integrationId === null ? 'due_at' : 'id'} LIMIT $3
         FOR UPDATE ${integrationId === null ? 'SKIP LOCKED' : ''}`,
        [now, integrationId, paymentsAtOnce],
      );
      const payments = rows.map(paymentOf);
      const changes = await openChanges(tx, deps, payments);
      for (const { id } of payments) await bringUpToDate(changes, id);
      await changes.flush();
      return rows.length;
    });
    handled += count;
    if (count < paymentsAtOnce) return handled;
  }
}

/**
 * Moves the times of the integration's open test payments closer by `seconds` (the test clock), and of those for which
 * steps are still to come (`played`), so that the steps find deadlines and late windows as far away as before.
 */
export async function shiftTestPayments(
  tx: Tx,
  integrationId: string,
  { seconds, now, played }: { seconds: number; now: Date; played: readonly string[] },
): Promise<void> {
  await tx.query(shiftTestPaymentsSql, [integrationId, seconds, now, played]);
}
