import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { type Approver, standingApprovals } from '../rules/approvers.ts';
import { payoutStop } from '../rules/stop.ts';
import { lockTogether } from './locks.ts';
import { movePayouts, type PayoutDeps } from './state.ts';

/**
 * Approves a payout, and those that are one with it; the last approval that it needs queues it. Only approvals of people
 * who may still give them count. Throws `payout_not_found`, `not_approvable`, `own_payout`, `approved_already`,
 * `payouts_stopped`.
 */
export async function approvePayout(
  tx: Tx,
  deps: PayoutDeps,
  id: string,
  { accountId, name, side }: Approver,
): Promise<Payout> {
  const [payout, ...others] = await lockWaiting(tx, deps, id);
  if (payout.requestedBy === accountId) throw refuse(payoutErrors.own_payout);
  if ((await payoutStop(tx)) !== null) throw refuse(payoutErrors.payouts_stopped);
  const all = [payout, ...others].map((each) => each.id);
  const { rowCount } = await tx.query(
    `INSERT INTO payout_approvals (payout_id, account_id, side, approver, at) SELECT id, $2, $3, $4, $5 FROM unnest($1::uuid[]) AS t (id)
     ON CONFLICT DO NOTHING`,
    [all, accountId, side, name, deps.now()],
  );
  if (rowCount === 0) throw refuse(payoutErrors.approved_already);
  const given = await countApprovals(tx, payout);
  const isApproved =
    given.merchant >= payout.approvalsNeeded && given.operator >= payout.operatorApprovalsNeeded;
  if (!isApproved) return payout;
  const [queued] = await movePayouts(
    tx,
    deps,
    [payout, ...others].map((each) => ({ payout: each, to: 'queued' })),
  );
  return queued ?? payout;
}

/** Rejects a payout that waits for approval, and those that are one with it, for a reason. Throws `payout_not_found`, `not_approvable`. */
export async function rejectPayout(tx: Tx, deps: PayoutDeps, id: string, why: string): Promise<Payout> {
  const [payout, ...others] = await lockWaiting(tx, deps, id);
  const [rejected] = await movePayouts(
    tx,
    deps,
    [payout, ...others].map((each) => ({ payout: each, to: 'rejected', why })),
  );
  return rejected ?? payout;
}

/** Locks a payout that waits for approval, and those that are one with it. Throws `payout_not_found`, `not_approvable`. */
async function lockWaiting(tx: Tx, deps: PayoutDeps, id: string): Promise<[Payout, ...Payout[]]> {
  const [payout, ...others] = await lockTogether(tx, deps, id);
  if (!payout) throw refuse(payoutErrors.payout_not_found);
  if (payout.status !== 'awaiting_approval') throw refuse(payoutErrors.not_approvable);
  return [payout, ...others];
}

async function countApprovals(tx: Tx, payout: Payout): Promise<Record<Approver['side'], number>> {
  const standing = (await standingApprovals(tx, [payout])).get(payout.id) ?? [];
  const of = (wanted: Approver['side']) => standing.filter(({ side }) => side === wanted).length;
  return { merchant: of('merchant'), operator: of('operator') };
}
