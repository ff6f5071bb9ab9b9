import type { Tx } from '../../kit/db/db.ts';

/** Gives the custody account back: for a gateway that has the database to itself, where whoever read it is dead. */
export async function forgetPiLease(tx: Tx): Promise<void> {
  await tx.query('UPDATE pi_accounts SET lease_until = NULL');
}
