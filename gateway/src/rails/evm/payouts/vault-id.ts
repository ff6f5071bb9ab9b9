import { randomBytes } from 'node:crypto';
import type { Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';

/**
 * Gives out the next id by which a vault pays an order once for ever: 64 random bits, and a number below them, so that
 * neighbours share a word of the vault's storage.
 */
export async function nextVaultId(tx: Tx): Promise<bigint> {
  const select = `SELECT epoch * 18446744073709551616 + nextval('evm_vault_numbers') AS id FROM evm_vault_epoch`;
  const { rows } = await tx.query<{ id: bigint }>(select);
  if (rows[0]) return rows[0].id;
  await tx.query('INSERT INTO evm_vault_epoch (epoch) VALUES ($1) ON CONFLICT DO NOTHING', [
    randomBytes(8).readBigUInt64BE(),
  ]);
  return oneRow(await tx.query<{ id: bigint }>(select), 'the next id of a vault').id;
}

/** Changes the random bits of new ids, after a restore: the database does not know which ids were given out since. */
export async function renewVaultEpoch(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM evm_vault_epoch');
}
