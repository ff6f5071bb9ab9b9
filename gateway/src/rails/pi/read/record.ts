import type { Clock } from '../../../kit/clock.ts';
import type { Database, Tx } from '../../../kit/db/db.ts';
import { writeUnderLease } from '../../../kit/db/lease.ts';
import type { Movement } from '../movements/movement.ts';
import { noteMovement } from '../movements/records.ts';
import { type Account, moveCursor } from './account.ts';

export type RecordDeps = { db: Database; now: Clock };

/**
 * Notes the movements of a page in one commit with the cursor, which goes from `from` to `last`. They are reported
 * afterwards. Throws LeaseLost.
 */
export async function recordPage(
  { db, now }: RecordDeps,
  account: Account,
  from: bigint,
  { movements, last }: { movements: readonly Movement[]; last: bigint },
): Promise<void> {
  await writeUnderLease(db, account.lease, async (tx) => {
    const newest = movements.at(-1);
    // The newest movement says when its ledger closed; after it there may be records that moved nothing.
    if (newest) await moveCursor(tx, account, { from, to: newest.token, closedAt: newest.at });
    const reached = newest?.token ?? from;
    if (last !== reached) await moveCursor(tx, account, { from: reached, to: last, closedAt: null });
    for (const movement of movements) await noteMovement(tx, account, movement, now());
  });
}

/**
 * Notes one movement in one commit with `move`, which moves the cursor to it. Returns false where there was nothing to
 * note. Throws LeaseLost.
 */
export async function recordMovement(
  { db, now }: RecordDeps,
  account: Account,
  movement: Movement,
  move: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  return await writeUnderLease(db, account.lease, async (tx) => {
    await move(tx);
    return await noteMovement(tx, account, movement, now());
  });
}
