import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { simulatedRail } from '../../rails/simulated/rail.ts';
import {
  dueSends,
  openSends,
  playSend,
  type SendOutcome,
  sendsDue,
  shiftSends,
} from '../../rails/simulated/sends.ts';
import { payoutErrors } from '../payout/errors.ts';
import { testPayoutsAmong } from '../payout/read.ts';
import { lockPayouts } from './locks.ts';
import { takeSendReports } from './reports.ts';
import type { PayoutDeps } from './state.ts';

/** Plays an outcome to a test payout that the simulated rail has. Throws `payout_not_found`, `not_playable_payout`. */
export async function simulatePayout(
  tx: Tx,
  deps: PayoutDeps,
  id: string,
  outcome: SendOutcome,
): Promise<void> {
  const [payout] = await lockPayouts(tx, deps, [id]);
  if (!payout) throw refuse(payoutErrors.payout_not_found);
  const { status } = payout;
  const isPlayable = (status === 'queued' || status === 'sending') && payout.rail === simulatedRail;
  if (!isPlayable) throw refuse(payoutErrors.not_playable_payout, { status });
  await takeSendReports(tx, deps, await playSend(tx, id, outcome, deps.now()));
}

const atOnce = 100;

/** Reports what the simulated chain has done by now; any number of processes may call it. Returns how many reports. */
export async function showDueSends(db: Database, deps: PayoutDeps): Promise<number> {
  let shown = 0;
  for (;;) {
    const now = deps.now();
    const ids = await sendsDue(db, now, atOnce);
    if (ids.length === 0) return shown;
    shown += await transaction(db, async (tx) => {
      await lockPayouts(tx, deps, ids);
      const reports = await dueSends(tx, ids, now);
      await takeSendReports(tx, deps, reports);
      return reports.length;
    });
  }
}

/** For the test clock: what the simulated chain still does for an integration becomes due earlier. */
export async function shiftTestPayouts(tx: Tx, integrationId: string, seconds: number): Promise<void> {
  const ids = await testPayoutsAmong(tx, integrationId, await openSends(tx));
  await shiftSends(tx, ids, seconds);
}
