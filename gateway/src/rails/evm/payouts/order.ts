import type { Tx } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import type { SendOrder } from '../../rail.ts';
import type { ChainConfig, Hex } from '../config/chains.ts';
import { isFreeSql } from './orders.ts';
import { nextVaultId } from './vault-id.ts';

type Known = { chain_id: number; asset: string; receiver: Hex; units: bigint };

/**
 * Queues an order in the caller's transaction; ordered twice it is queued once. Throws when its asset is none of the
 * chain's, and when its id was used for another content.
 */
export async function orderPayout(
  tx: Tx,
  chain: Pick<ChainConfig, 'id' | 'tokens'>,
  { id, asset, units, to }: SendOrder,
  now: Date,
): Promise<void> {
  const token = chain.tokens.find((each) => each.asset === asset);
  if (!token) throw new Error(`Payout ${id} is of ${asset}, which chain ${chain.id} does not have`);
  const receiver = to.toLowerCase() as Hex;
  const { rowCount } = await tx.query(
    `INSERT INTO evm_payouts (id, chain_id, vault_id, asset, token, receiver, units, state, retry_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $8) ON CONFLICT (id) DO NOTHING`,
    [id, chain.id, await nextVaultId(tx), asset, token.address, receiver, units, now],
  );
  if (rowCount === 1) return;
  const known = oneRow(
    await tx.query<Known>('SELECT chain_id::float8, asset, receiver, units FROM evm_payouts WHERE id = $1', [
      id,
    ]),
    'order of a payout',
  );
  const isSame =
    known.chain_id === chain.id &&
    known.asset === asset &&
    known.receiver === receiver &&
    known.units === units;
  if (!isSame) throw new Error(`Payout ${id} was ordered before with another content`);
}

/**
 * Cancels an order that no signed transaction can still pay; false where one can, or where the order is paid or has
 * ended. One that was ever exported can be cancelled only after its vault has used its id up: until then its file can be
 * executed at any time.
 */
export async function cancelPayout(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE evm_payouts p SET state = 'cancelled', fault = NULL, ended_at = $2
     WHERE p.id = $1 AND p.state = 'queued' AND NOT p.said_paid
       AND (p.exported_vault IS NULL OR p.used_up_by IS NOT NULL) AND ${isFreeSql}`,
    [id, now],
  );
  return rowCount === 1;
}
