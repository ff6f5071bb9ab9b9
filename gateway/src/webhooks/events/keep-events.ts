import type { Tx } from '../../kit/db/db.ts';

const lockKey = 706_771_023;

/**
 * Until this transaction ends no old event is deleted. Taken before a delivery of an old event is queued again; any
 * number of transactions may hold it at once.
 */
export async function keepEvents(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [lockKey]);
}

/** Until this transaction ends no delivery of an old event is queued again. */
export async function holdOffResends(tx: Tx): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
}
