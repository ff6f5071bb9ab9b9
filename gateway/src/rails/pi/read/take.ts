import type { Logger } from 'pino';
import { type Database, isUnavailable, transaction } from '../../../kit/db.ts';
import { noteMovement, postpone, type Telling, tell } from '../records.ts';
import { type Account, CursorMoved, moveCursor } from './account.ts';
import type { Movement } from './movement.ts';

export type Taking = { db: Database; telling: Telling; log: Logger };

/**
 * Takes a movement: cursor, record and what payments make of it, in one commit. Where payments cannot take it, it is
 * kept untold, so that it holds up nothing behind it. Throws CursorMoved, and what the database throws.
 */
export async function takeMovement(
  { db, telling, log }: Taking,
  account: Account,
  from: bigint,
  movement: Movement,
): Promise<void> {
  const take = (isTold: boolean) =>
    transaction(db, async (tx) => {
      await moveCursor(tx, account, from, movement.token);
      const now = telling.now();
      for (const row of await noteMovement(tx, account.account, movement, now)) {
        if (isTold) await tell(tx, telling, row);
        else await postpone(tx, row.transaction, row.paging_token, now);
      }
    });
  try {
    await take(true);
  } catch (error) {
    if (error instanceof CursorMoved || isUnavailable(error)) throw error;
    await take(false);
    log.error({ err: error, transaction: movement.transaction }, 'a movement of PI could not be taken yet');
  }
}
