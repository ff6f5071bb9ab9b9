import type { Tx } from '../../kit/db/db.ts';

/** Gives every chain back: for a gateway that has the database to itself, where whoever held one is dead. */
export async function forgetChainLeases(tx: Tx): Promise<void> {
  await tx.query('UPDATE evm_chains SET lease_until = NULL');
  await tx.query('UPDATE evm_lanes SET held_until = now()');
}
