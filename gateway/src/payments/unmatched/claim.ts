import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { isOfCurrency } from '../settlement/received.ts';
import type { UnmatchedRow } from './assign.ts';
import { proofsOf } from './proofs.ts';

/**
 * What a customer is told who names a transaction without their payment's memo. `found`: an operator assigned it to this
 * payment. `proved`: the same account has sent more with the memo, and an operator decides. `unmatched`: there is no such
 * proof. `elsewhere`: it was decided otherwise, or is of another currency. The claim itself was noted before.
 */
export type ClaimOutcome = 'found' | 'proved' | 'unmatched' | 'elsewhere';

export async function outcomeOfClaim(
  reader: Reader,
  assets: Assets,
  payment: { id: string; currency: string | null },
  transaction: string,
): Promise<ClaimOutcome> {
  const { rows } = await reader.query<UnmatchedRow>(
    'SELECT * FROM unmatched_deposits WHERE transaction = $1',
    [transaction],
  );
  // The rail has it, and did not report it yet.
  if (rows.length === 0) return 'unmatched';
  if (rows.some(({ payment_id }) => payment_id === payment.id)) return 'found';
  const open = rows.filter((each) => each.state === 'open' && isOfCurrency(assets, payment, each));
  if (open.length === 0) return 'elsewhere';
  for (const deposit of open) {
    if ((await proofsOf(reader, [payment.id], deposit)).size > 0) return 'proved';
  }
  return 'unmatched';
}
