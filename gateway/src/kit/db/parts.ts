import { after } from '../clock.ts';
import { type Database, isLockTimeout, liftTimeLimits, transaction } from './db.ts';
import { oneRow } from './one-row.ts';

const daySeconds = 24 * 3600;
/** Statements that cannot tell of which time their rows are look into each part: so there are few, however long rows are kept. */
const partsKept = 13;
/** As many as `drop_parts` deletes at once. */
const deletedAtOnce = 5_000;

/** How long rows of a table are kept, in days. */
export type Keeping = { table: string; keptDays: number };

/** How many days a part of a table has, so that what is too old is kept no longer than that. */
const daysOfPart = ({ keptDays }: Keeping): number => Math.ceil(keptDays / partsKept);

/**
 * Makes the parts of a table for the days that come (docs/scale.md#partitions), and drops those that are older than its rows are
 * kept. Never lets others wait behind it for longer than 200 ms: where the table is not free by then, it is done at the next call.
 */
export async function keepParts(db: Database, keeping: Keeping, now: Date): Promise<void> {
  const { table, keptDays } = keeping;
  try {
    while (await makePart(db, keeping));
    while ((await dropParts(db, table, after(now, -keptDays * daySeconds))) === deletedAtOnce);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

async function makePart(db: Database, keeping: Keeping): Promise<boolean> {
  return await transaction(db, async (tx) => {
    // A table that was not divided before is read once, while others work on it.
    await liftTimeLimits(tx);
    const made = await tx.query<{ more: boolean }>('SELECT keep_parts($1, $2) AS more', [
      keeping.table,
      daysOfPart(keeping),
    ]);
    return oneRow(made, `parts of ${keeping.table}`).more;
  });
}

async function dropParts(db: Database, table: string, before: Date): Promise<number> {
  const dropped = await db.query<{ deleted: number }>('SELECT drop_parts($1, $2) AS deleted', [
    table,
    before,
  ]);
  return oneRow(dropped, `old rows of ${table}`).deleted;
}
