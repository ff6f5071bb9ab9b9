import type { Logger } from 'pino';
import { type Database, isUnavailable, type Tx } from '../../../kit/db/db.ts';
import { LeaseLost, writeUnderLease } from '../../../kit/db/lease.ts';
import type { Movement } from '../movements/movement.ts';
import { noteMovement, postpone, type Telling, tell } from '../movements/records.ts';
import type { Account } from './account.ts';

export type Taking = { db: Database; telling: Telling; log: Logger };

/**
 * Takes a movement: the cursor that came to it, record and what payments make of it, in one commit. Where payments
 * cannot take it, it is kept untold, so that it holds up nothing behind it. Answers false where there was nothing to
 * note. Throws LeaseLost, and what the database throws.
 */
export async function takeMovement(
  { db, telling, log }: Taking,
  account: Account,
  movement: Movement,
  move: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const take = (isTold: boolean) =>
    writeUnderLease(db, account.lease, async (tx) => {
      await move(tx);
      const now = telling.now();
      const noted = await noteMovement(tx, account.account, movement, now);
      for (const row of noted) {
        if (isTold) await tell(tx, telling, row);
        else await postpone(tx, row.transaction, row.paging_token, now);
      }
      return noted.length > 0;
    });
  try {
    return await take(true);
  } catch (error) {
    if (error instanceof LeaseLost || isUnavailable(error)) throw error;
    const isNoted = await take(false);
    log.error({ err: error, transaction: movement.transaction }, 'a movement of PI could not be taken yet');
    return isNoted;
  }
}
