import type { Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import type { FeeTerms } from '../integration.ts';
import type { OwnAddressSettings } from '../own-addresses.ts';

/**
 * Changes the fee of an integration's new payments, which its merchant then has to accept again. Returns the terms
 * before; throws `not_found`, and `field_invalid` where payments settle directly by other terms than basis points.
 */
export async function changeFee(tx: Tx, integrationId: string, fee: FeeTerms): Promise<FeeTerms> {
  const { rows } = await tx.query<{ fee: FeeTerms; own_addresses: OwnAddressSettings }>(
    'SELECT fee, own_addresses FROM integrations WHERE id = $1 FOR UPDATE',
    [integrationId],
  );
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  if (Object.keys(row.own_addresses).length > 0) assertPointsAlone(fee);
  await tx.query('UPDATE integrations SET fee = $2, fee_accepted_at = NULL WHERE id = $1', [
    integrationId,
    fee,
  ]);
  return row.fee;
}

/** Refuses terms that a splitter cannot carry out: it knows basis points alone. */
export function assertPointsAlone({ bps, fixed, floor, cap }: FeeTerms): void {
  const isMore = (amount: string | null | undefined) => /[1-9]/.test(amount ?? '');
  const isCapped = cap !== null && cap !== undefined;
  if (bps > 9_999 || isMore(fixed) || isMore(floor) || isCapped)
    throw invalid('fee', 'direct settlement takes basis points alone');
}
