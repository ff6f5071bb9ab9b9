import type { Database } from '../../src/kit/db/db.ts';

/** Makes every lease run out, as if its holder had been silent for too long. */
export async function expireLeases(db: Database): Promise<void> {
  await db.query("UPDATE leases SET held_until = now() - interval '1 second'");
}
