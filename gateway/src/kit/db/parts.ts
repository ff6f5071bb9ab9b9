import { after } from '../clock.ts';
import { type Database, isLockTimeout, liftTimeLimits, transaction } from './db.ts';
import { oneRow } from './one-row.ts';

const daySeconds = 24 * 3600;
/** Statements that cannot tell of which time their rows are look into each part: so there are few, however long rows are kept. */
const partsKept = 13;
/** As many rows as `drop_parts` deletes at once of what leaves row by row. */
export const deletedAtOnce = 5_000;

/** How long rows of a table are kept, in days. */
export type Keeping = { table: string; keptDays: number };

/**
 * Makes the parts of a table for the days that come (docs/scale.md#partitions), and drops those that are older than its rows are
 * kept. Never lets others wait behind it for longer than 200 ms: where the table is not free by then, it is done at the next call.
 */
export async function keepParts(db: Database, keeping: Keeping, now: Date): Promise<void> {
  const { table, keptDays } = keeping;
  await makeParts(db, keeping);
  const end = await oldUntil(db, table, after(now, -keptDays * daySeconds));
  while ((await unlessLocked(() => dropParts(db, table, end))) === deletedAtOnce);
}

/** The same without dropping any. A part has a thirteenth of the days for which rows are kept. */
export async function makeParts(db: Database, { table, keptDays }: Keeping): Promise<void> {
  const days = Math.ceil(keptDays / partsKept);
  while (await unlessLocked(() => makePart(db, table, days)));
}

async function makePart(db: Database, table: string, days: number): Promise<boolean> {
  return await transaction(db, async (tx) => {
    // A table that was not divided before is read once, while others work on it.
    await liftTimeLimits(tx);
    const made = await tx.query<{ more: boolean }>('SELECT keep_parts($1, $2) AS more', [table, days]);
    return oneRow(made, `parts of ${table}`).more;
  });
}

/** Up to when rows of a table may leave, of those that are older than `before`: whole parts, where they leave as such. */
export async function oldUntil(db: Database, table: string, before: Date): Promise<Date> {
  const found = await db.query<{ until: Date }>('SELECT old_until($1, $2) AS until', [table, before]);
  return oneRow(found, `age of ${table}`).until;
}

async function dropParts(db: Database, table: string, before: Date): Promise<number> {
  const dropped = await db.query<{ deleted: number }>('SELECT drop_parts($1, $2) AS deleted', [
    table,
    before,
  ]);
  return oneRow(dropped, `old rows of ${table}`).deleted;
}

/** What `work` returns; null where a lock was not free in time, and it is to be done later. */
export async function unlessLocked<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}
