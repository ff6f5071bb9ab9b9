import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Sending } from '../../rails/rail.ts';
import { standingsOf } from '../lifecycle/by-hand.ts';
import type { Payout } from '../payout/payout.ts';
import type { Purposes } from '../payout/purposes.ts';
import { othersOf, viewsOf } from '../payout/read.ts';
import { approversOf, standingApprovals } from '../rules/approvers.ts';

export type ViewDeps = {
  assets: Assets;
  sendings: readonly Sending[];
  purposes: Purposes;
  /** Where a transaction of a rail can be looked at; null: nowhere. */
  transactionUrl: (rail: string, transaction: string) => string | null;
};

/** Payouts as the dashboard shows them to one person. */
export async function consoleViewsOf(
  reader: Reader,
  { assets, sendings, purposes, transactionUrl }: ViewDeps,
  accountId: string,
  payouts: readonly Payout[],
) {
  const approvers = await approversOf(
    reader,
    payouts.map(({ id }) => id),
  );
  const waiting = payouts.filter(({ status }) => status === 'awaiting_approval');
  const standing = await standingApprovals(reader, waiting);
  const views = await viewsOf(reader, assets, payouts);
  const queued = payouts.filter(({ status }) => status === 'queued');
  const standings = await standingsOf(reader, { sendings }, queued);
  const others = await othersOf(reader, payouts);
  const references = await paymentReferencesOf(reader, purposes, payouts);
  return payouts.map((payout, index) => {
    const given = approvers.get(payout.id) ?? [];
    const counted = standing.get(payout.id) ?? given;
    const left = (side: 'merchant' | 'operator', needed: number) =>
      Math.max(0, needed - counted.filter((each) => each.side === side).length);
    const view = views[index];
    if (!view) throw new Error(`Payout ${payout.id} has no view`);
    const { transaction } = payout;
    const hand = standings.get(payout.id);
    return {
      ...view,
      payment_reference: (payout.causeId && references.get(payout.causeId)) ?? null,
      requester: payout.requester,
      asked_by_you: payout.requestedBy === accountId,
      approved_by_you: given.some((each) => each.accountId === accountId),
      approvals_left: {
        merchant: left('merchant', payout.approvalsNeeded),
        operator: left('operator', payout.operatorApprovalsNeeded),
      },
      together_with: (others.get(payout.id) ?? []).map(({ asset, units, to }) => ({
        amount: decimalOf(units, assets.get(asset).scale),
        to,
      })),
      by_hand: hand ? { is_exported: hand.exportId !== null, is_used_up: hand.isUsedUp } : null,
      transaction_url: transaction === null ? null : transactionUrl(payout.rail, transaction),
    };
  });
}

async function paymentReferencesOf(
  reader: Reader,
  purposes: Purposes,
  payouts: readonly Payout[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of new Set(payouts.map(({ purpose }) => purpose))) {
    const ids = payouts.flatMap(({ purpose, causeId }) => (purpose === name && causeId ? [causeId] : []));
    const references = await purposes[name]?.paymentReferences?.(reader, ids);
    for (const [id, reference] of references ?? []) found.set(id, reference);
  }
  return found;
}

/** The same of one. */
export async function consoleViewOf(reader: Reader, deps: ViewDeps, accountId: string, payout: Payout) {
  const [view] = await consoleViewsOf(reader, deps, accountId, [payout]);
  if (!view) throw new Error(`Payout ${payout.id} has no view`);
  return view;
}
