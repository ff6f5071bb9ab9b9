import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { lockAccounts, postAll, type Transfer } from '../../ledger/ledger.ts';
import { feeAccount, feesOutAccount } from '../../ledger/places.ts';
import { feeTotals } from '../../ledger/totals.ts';
import { decimalOf } from '../../money/money.ts';
import { orderPayout, type Requester, type Wanted } from '../lifecycle/order.ts';
import { type PayoutDeps, unpaidEnds } from '../lifecycle/state.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import type { Moved, Purpose } from '../payout/purposes.ts';

const mode = 'live';

/** Withdrawals of the operator's fees; what ends unpaid is earned again. */
export const feeWithdrawal: Purpose = {
  cause: 'fee_withdrawal',
  moved: returnUnpaid,
  // They were earned again when it ended; what is missing of them since is shown as fees below 0.
  late: async () => feeAccount,
};

/**
 * Orders fees to be sent to an address of the operator's. Of two at once the second waits for the first, so that
 * together they never take more than was earned. Throws `fees_short`, and what `orderPayouts` does.
 */
export async function withdrawFees(
  tx: Tx,
  deps: PayoutDeps,
  wanted: Pick<Wanted, 'asset' | 'units' | 'to' | 'memo'>,
  requester: Requester,
): Promise<Payout> {
  const { asset, units } = wanted;
  const now = deps.now();
  await lockAccounts(tx, [{ ...feesOutAccount, mode, asset: asset.code }]);
  const [total] = await feeTotals(tx, mode, asset.code);
  const earned = total?.earned ?? 0n;
  if (units > earned) {
    const available = decimalOf(earned > 0n ? earned : 0n, asset.scale);
    throw refuse(payoutErrors.fees_short, { available, asset: asset.currency });
  }
  const sides = { debit: feeAccount, credit: feesOutAccount };
  const cause = { cause: 'fees_taken', causeId: null };
  await postAll(tx, [{ id: newId(now), mode, asset: asset.code, units, ...sides, ...cause }], now);
  const terms = { owner: null, mode, purpose: 'fee_withdrawal', debit: feesOutAccount } as const;
  const order = { ...terms, requester, isAnyAddress: true, isCharged: false, ownTime: now };
  return await orderPayout(tx, deps, order, wanted);
}

async function returnUnpaid(tx: Tx, moved: readonly Moved[], now: Date): Promise<void> {
  const unpaid = moved.filter(({ payout }) => unpaidEnds.includes(payout.status));
  const back = unpaid.map(({ payout: { id, asset, units } }): Transfer => {
    const sides = { debit: feesOutAccount, credit: feeAccount };
    return { id: newId(now), mode, asset, units, ...sides, cause: 'fees_given_back', causeId: id };
  });
  await postAll(tx, back, now);
}
