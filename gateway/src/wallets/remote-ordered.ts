import { after } from '../kit/clock.ts';
import { type Database, transaction } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import { lockPayouts } from '../payouts/lifecycle/locks.ts';
import { movePayouts, type PayoutDeps } from '../payouts/lifecycle/state.ts';
import type { RemoteCredit, RemoteWallets } from './remote-wallets.ts';
import type { Funding } from './wallet-backend.ts';

export type OrderedDeps = PayoutDeps & { db: Database; remote: Pick<RemoteWallets, 'credit'> };

/** A funding as the reconciler takes it. */
export type OrderedRow = {
  id: string;
  tries: number;
  /** The payout that people approved before; null: it was asked for at once. */
  payout_id: string | null;
};

/** What the other system is asked for. */
export type Credited = Pick<Funding, 'username' | 'asset' | 'units' | 'mode'>;

/** Longer than a call to the remote may take: until then whoever asked it answers for a funding. */
export const callSeconds = 10;

export function creditOf(
  assets: Assets,
  id: string,
  { username, asset, units, mode }: Credited,
): RemoteCredit {
  return { id, username, asset, amount: decimalOf(units, assets.get(asset).scale), mode };
}

/**
 * Asks for a credit that people approved, once, as `fund` does: applied completes its payout, refused or never sent fails
 * it. Where the answer is not certain the next try takes the credit back. False for what was asked before.
 */
export async function creditOrdered(deps: OrderedDeps, row: OrderedRow & Credited): Promise<boolean> {
  if (row.payout_id === null || row.tries > 1) return false;
  // Many rows are leased at once, and the calls for earlier ones may have taken long. With a new lease no other process
  // cancels this credit meanwhile.
  const { rowCount } = await deps.db.query(
    `UPDATE remote_fundings SET next_try_at = $2 WHERE id = $1 AND state = 'ordered' AND tries = 1`,
    [row.id, after(deps.now(), callSeconds)],
  );
  if (rowCount === 0) return true;
  const outcome = await deps.remote.credit(creditOf(deps.assets, row.id, row));
  if (outcome !== 'unknown') await endOrdered(deps, row, outcome === 'applied' ? 'posted' : 'voided');
  return true;
}

/** Ends a funding that people approved, with its payout and hold. Returns how it ended: once for good. */
export async function endOrdered(
  deps: OrderedDeps,
  { id, payout_id }: OrderedRow,
  how: 'posted' | 'voided',
  irreversible = false,
): Promise<'posted' | 'voided'> {
  return await transaction(deps.db, async (tx) => {
    const [payout] = await lockPayouts(tx, deps, [payout_id ?? '']);
    if (payout?.status !== 'sending') return payout?.status === 'completed' ? 'posted' : 'voided';
    const failed = { to: 'failed', why: 'The other system did not credit it' } as const;
    await movePayouts(tx, deps, [{ payout, ...(how === 'posted' ? { to: 'completed' } : failed) }]);
    await tx.query('UPDATE remote_fundings SET state = $2, ended_at = $3, irreversible = $4 WHERE id = $1', [
      id,
      how,
      deps.now(),
      irreversible,
    ]);
    return how;
  });
}
