import type { Clock } from '../../../kit/clock.ts';
import type { Database, Tx } from '../../../kit/db/db.ts';
import { writeUnderLease } from '../../../kit/db/lease.ts';
import type { Movement } from '../movements/movement.ts';
import { noteMovement } from '../movements/records.ts';
import { type Account, moveCursor } from './account.ts';

export type Taking = { db: Database; now: Clock };

/**
 * Notes the movements of a page in one commit with the cursor, which goes from `from` to `last`. They are reported
 * afterwards. Throws LeaseLost.
 */
export async function takePage(
  { db, now }: Taking,
  account: Account,
  from: bigint,
  { movements, last }: { movements: readonly Movement[]; last: bigint },
): Promise<void> {
  await writeUnderLease(db, account.lease, async (tx) => {
    const newest = movements.at(-1);
    // The newest movement says when its ledger closed; behind it there may be records that moved nothing.
    if (newest) await moveCursor(tx, account, from, newest.token, newest.at);
    const reached = newest?.token ?? from;
    if (last !== reached) await moveCursor(tx, account, reached, last, null);
    for (const movement of movements) await noteMovement(tx, account.account, movement, now());
  });
}

/**
 * Notes one movement in one commit with `move`, which moves the cursor that came to it. Answers false where there was
 * nothing to note. Throws LeaseLost.
 */
export async function takeMovement(
  { db, now }: Taking,
  account: Account,
  movement: Movement,
  move: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return await writeUnderLease(db, account.lease, async (tx) => {
    await move(tx);
    return await noteMovement(tx, account.account, movement, now());
  });
}
