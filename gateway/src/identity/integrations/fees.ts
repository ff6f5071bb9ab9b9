import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { FeeTerms } from '../integration.ts';

/**
 * Changes the fee of an integration's new payments, which its merchant then has to accept again. Returns the terms
 * before; throws `not_found`.
 */
export async function changeFee(tx: Tx, integrationId: string, fee: FeeTerms): Promise<FeeTerms> {
  const { rows } = await tx.query<{ fee: FeeTerms }>(
    'SELECT fee FROM integrations WHERE id = $1 FOR UPDATE',
    [integrationId],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  await tx.query('UPDATE integrations SET fee = $2, fee_accepted_at = NULL WHERE id = $1', [
    integrationId,
    fee,
  ]);
  return row.fee;
}
