import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { lockTogether } from './locks.ts';
import { movePayouts, type PayoutDeps, sendingOf } from './state.ts';

/** Cancels a payout of which nothing is signed, and those that wait as one with it. Throws `payout_not_found`, `payout_not_cancellable`. */
export async function cancelPayout(tx: Tx, deps: PayoutDeps, id: string): Promise<Payout> {
  return await endUnsent(tx, deps, id, { to: 'cancelled', why: null });
}

/** The same by an operator, who says why; the payout has failed. */
export async function failPayout(tx: Tx, deps: PayoutDeps, id: string, why: string): Promise<Payout> {
  return await endUnsent(tx, deps, id, { to: 'failed', why });
}

async function endUnsent(
  tx: Tx,
  deps: PayoutDeps,
  id: string,
  { to, why }: { to: 'cancelled' | 'failed'; why: string | null },
): Promise<Payout> {
  const [payout, ...others] = await lockTogether(tx, deps, id);
  if (!payout) throw refuse(payoutErrors.payout_not_found);
  const isOpen = payout.status === 'queued' || (payout.status === 'awaiting_approval' && to === 'cancelled');
  const isUnsigned =
    isOpen && (payout.status !== 'queued' || (await sendingOf(deps, payout).cancel(tx, payout.id)));
  if (!isUnsigned) throw refuse(payoutErrors.payout_not_cancellable);
  const ending = payout.status === 'awaiting_approval' ? [payout, ...others] : [payout];
  const [ended] = await movePayouts(
    tx,
    deps,
    ending.map((each) => ({ payout: each, to, why })),
  );
  if (!ended) throw new Error(`Payout ${id} was not moved`);
  return ended;
}
