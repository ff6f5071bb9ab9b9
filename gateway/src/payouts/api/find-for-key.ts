import { assertMay } from '../../identity/keys/guards.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Payout } from '../payout/payout.ts';
import { type Purposes, purposeOf } from '../payout/purposes.ts';
import { findPayout } from '../payout/read.ts';

/**
 * A payout of a key's integration, by its id or its reference, of a purpose that the key has the right for: that of a refund
 * is for keys that may make refunds, that of a funding for keys that may fund users. Refuses `payout_not_found`, `action_not_allowed`.
 */
export async function findForKey(
  reader: Reader,
  purposes: Purposes,
  caller: ApiKey,
  idOrReference: string,
): Promise<Payout> {
  const payout = await findPayout(reader, ownerOf(caller), idOrReference);
  const { right } = purposeOf(purposes, payout.purpose);
  if (right) assertMay(caller, right);
  return payout;
}
