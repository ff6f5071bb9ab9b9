import type { Tx } from '../../kit/db/db.ts';
import { grantServing } from '../../kit/db/grants.ts';
import { type AuditReport, auditLedger } from '../../ledger/audit.ts';
import { keptTables } from '../../operations/kept-tables.ts';
import { stopPayouts } from '../../payouts/rules/stop.ts';
import { renewVaultEpoch } from '../../rails/evm/payouts/vault-id.ts';
import { noteRestore } from '../../treasury/restore.ts';

type AfterRestore = {
  restoredTo: Date;
  /** What it was restored from or to, for people. */
  from: string;
  /** The role that serves; null: it is the owner. */
  role: string | null;
  /** Who restores. */
  by: string;
  at: Date;
};

/**
 * Does what every restored database needs before a gateway may use it, in the caller's transaction: payouts stand still
 * until it is known what left since `restoredTo`.
 */
export async function afterRestore(
  tx: Tx,
  { restoredTo, from, role, by, at }: AfterRestore,
): Promise<AuditReport> {
  await noteRestore(tx, { backupAt: restoredTo, at });
  const reason = `Restored ${from}: what left since then needs an owner`;
  await stopPayouts(tx, { reason, by, at });
  // Orders made after the backup had ids that the backup does not know: new orders must not get the same ones.
  await renewVaultEpoch(tx);
  if (role !== null) await grantServing(tx, role, keptTables);
  return await auditLedger(tx);
}
