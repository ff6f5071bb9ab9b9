import type { Tx } from '../../../kit/db.ts';
import { refuseHeld, releaseHeld, type Telling } from '../records.ts';

/**
 * Settles what is held with an identifier as its memo: what the `confirmed` transaction moved is its payment's, and
 * any other is nobody's. `null`: all of it is nobody's.
 */
export async function settleHeld(
  tx: Tx,
  telling: Telling,
  identifier: string,
  confirmed: string | null,
): Promise<void> {
  const { rows } = await tx.query<{ transaction: string }>(
    "SELECT DISTINCT transaction FROM pi_records WHERE memo = $1 AND state = 'held'",
    [identifier],
  );
  for (const { transaction } of rows) {
    const settle = transaction === confirmed ? releaseHeld : refuseHeld;
    await settle(tx, telling, { identifier, transaction });
  }
}
